package io.lockkeeper.spring;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Finds calls of an object's own locked methods in its byte code, which a proxy does not see. A method that has another object of the class
 * at hand, from a field, a parameter or a call, may well mean that one, so its calls are not reported.
 */
final class SelfCalls {

    private SelfCalls() {}

    /** One sentence for each call. */
    static List<String> of(Class<?> type, Predicate<Method> locked) {
        Map<String, String> targets = new HashMap<>();
        for (Method method : type.getDeclaredMethods()) {
            if (!method.isSynthetic() && locked.test(method)) {
                targets.put(method.getName() + Type.getMethodDescriptor(method), method.getName());
            }
        }
        List<String> found = new ArrayList<>();
        ClassLoader loader = type.getClassLoader();
        if (targets.isEmpty() || loader == null) {
            return found;
        }
        try (InputStream code = loader.getResourceAsStream(
                ClassUtils.convertClassNameToResourcePath(type.getName()) + ClassUtils.CLASS_FILE_SUFFIX)) {
            if (code != null) {
                new ClassReader(code)
                        .accept(new Calls(type, targets, found), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | IllegalArgumentException unreadable) {
            // A class file of a newer JDK, or none at all: what cannot be known is not reported.
        }
        return found;
    }

    private static final class Calls extends ClassVisitor {

        private final Class<?> type;
        private final String owner;
        private final Map<String, String> targets;
        private final List<String> found;

        Calls(Class<?> type, Map<String, String> targets, List<String> found) {
            super(SpringAsmInfo.ASM_VERSION);
            this.type = type;
            this.owner = Type.getInternalName(type);
            this.targets = targets;
            this.found = found;
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
            return new MethodVisitor(SpringAsmInfo.ASM_VERSION) {

                private boolean others = isStatic || mentions(descriptor);
                private final List<String> calls = new ArrayList<>();

                @Override
                public void visitFieldInsn(int opcode, String in, String field, String fieldType) {
                    others |= mentions(fieldType);
                }

                @Override
                public void visitTypeInsn(int opcode, String made) {
                    others |= made.equals(owner);
                }

                @Override
                public void visitMethodInsn(int opcode, String in, String called, String types, boolean isInterface) {
                    others |= mentions(Type.getReturnType(types).getDescriptor());
                    note(in, called, types);
                }

                @Override
                public void visitInvokeDynamicInsn(String made, String types, Handle bootstrap, Object... arguments) {
                    for (Object argument : arguments) {
                        if (argument instanceof Handle handle) {
                            note(handle.getOwner(), handle.getName(), handle.getDesc());
                        }
                    }
                }

                private void note(String in, String called, String types) {
                    if (in.equals(owner) && targets.containsKey(called + types)) {
                        calls.add(called);
                    }
                }

                @Override
                public void visitEnd() {
                    if (!others) {
                        calls.forEach(
                                called -> found.add(type.getSimpleName() + "." + name + " calls its own @Locked method "
                                        + called
                                        + ", which runs without its lock then: a proxy sees only calls from other beans."
                                        + " Move one of the two to another bean"));
                    }
                }
            };
        }

        private boolean mentions(String descriptor) {
            return descriptor.contains("L" + owner + ";");
        }
    }
}

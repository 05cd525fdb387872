package io.lockkeeper.spring;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.util.ReflectionUtils;

/** Makes the names of the locks of a call: by templates, or by the application's own {@link LockNameResolver}. */
sealed interface LockNames {

    /** At least one, without repetitions. */
    List<String> of(LockedCall call);

    /** Templates, each a text with expressions in it. */
    record Templates(List<Expression> templates) implements LockNames {

        @Override
        public List<String> of(LockedCall call) {
            Set<String> names = new LinkedHashSet<>();
            EvaluationContext context = call.expressions();
            for (Expression template : templates) {
                if (template instanceof CompositeStringExpression parts) {
                    names.add(joined(parts, context));
                } else {
                    addAll(names, template, template.getValue(context));
                }
            }
            if (names.isEmpty()) {
                throw new IllegalArgumentException(
                        "The collection " + text() + " is empty, so there is nothing to lock;"
                                + " do not call the method, or exclude the call by a condition");
            }
            return List.copyOf(names);
        }

        /** By itself a missing part would be an empty text, and all calls without it would share one lock. */
        private static String joined(CompositeStringExpression parts, EvaluationContext context) {
            StringBuilder name = new StringBuilder();
            for (Expression part : parts.getExpressions()) {
                name.append(present(part, part.getValue(context)));
            }
            return name.toString();
        }

        private static void addAll(Set<String> names, Expression template, @Nullable Object value) {
            if (value instanceof Collection<?> several) {
                several.forEach(one -> names.add(present(template, one)));
            } else if (value != null && value.getClass().isArray()) {
                for (int i = 0; i < Array.getLength(value); i++) {
                    names.add(present(template, Array.get(value, i)));
                }
            } else {
                names.add(present(template, value));
            }
        }

        private static String present(Expression part, @Nullable Object value) {
            if (value == null) {
                throw new IllegalArgumentException("The expression " + part.getExpressionString()
                        + " in the name of a lock is null; give it a value, or exclude the call by a condition");
            }
            if (isNamedByIdentity(value)) {
                throw new IllegalArgumentException("The expression " + part.getExpressionString()
                        + " in the name of a lock gives " + value.getClass().getTypeName()
                        + ", whose text is another one in each process, so it would exclude nobody; use one of its properties, or"
                        + " give it a toString method");
            }
            return value.toString();
        }

        /** Arrays, and objects whose text is that of {@link Object#toString}. */
        private static boolean isNamedByIdentity(@Nullable Object value) {
            if (value instanceof Collection<?> several) {
                return several.stream().anyMatch(Templates::isNamedByIdentity);
            }
            Method text = value == null ? null : ReflectionUtils.findMethod(value.getClass(), "toString");
            return text != null && text.getDeclaringClass() == Object.class;
        }

        private String text() {
            return String.join(
                    ", ",
                    templates.stream().map(Expression::getExpressionString).toList());
        }
    }

    /** Names that a bean makes. */
    record Resolved(String bean, Beans beans) implements LockNames {

        @Override
        public List<String> of(LockedCall call) {
            List<String> names = beans.resolver(bean).names(call.target(), call.method(), call.arguments());
            List<String> distinct = names.stream().distinct().toList();
            if (distinct.isEmpty()) {
                throw new IllegalStateException("The LockNameResolver '" + bean + "' returned no name for "
                        + call.place() + "; return at least one");
            }
            return distinct;
        }
    }
}

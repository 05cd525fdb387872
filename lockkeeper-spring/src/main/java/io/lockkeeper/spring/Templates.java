package io.lockkeeper.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Parses the expressions of annotations when the application starts, and checks that the variables in them exist. */
final class Templates {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final Set<String> GIVEN = Set.of("#root", "#this");

    private Templates() {}

    static LockNames names(List<String> templates, Method method) {
        List<Expression> parsed = new ArrayList<>();
        for (String template : templates) {
            parsed.add(parse(template, method, ParserContext.TEMPLATE_EXPRESSION));
        }
        return new LockNames.Templates(parsed);
    }

    static @Nullable Expression condition(String text, Method method) {
        return text.isEmpty() ? null : parse(text, method, null);
    }

    private static Expression parse(String text, Method method, @Nullable ParserContext context) {
        Expression parsed;
        try {
            parsed = context == null ? PARSER.parseExpression(text) : PARSER.parseExpression(text, context);
        } catch (ParseException | IllegalStateException e) {
            throw new IllegalStateException(
                    "The expression \"" + text + "\" of " + LockedMethod.place(method) + " is not SpEL: "
                            + e.getMessage(),
                    e);
        }
        checkVariables(parsed, text, method);
        return parsed;
    }

    private static void checkVariables(Expression parsed, String text, Method method) {
        if (parsed instanceof CompositeStringExpression parts) {
            for (Expression part : parts.getExpressions()) {
                checkVariables(part, text, method);
            }
        } else if (parsed instanceof SpelExpression spel) {
            Set<String> used = new LinkedHashSet<>();
            collect(spel.getAST(), used);
            used.removeAll(GIVEN);
            used.removeAll(variables(method));
            if (!used.isEmpty()) {
                throw new IllegalStateException(
                        "The expression \"" + text + "\" of " + LockedMethod.place(method) + " uses "
                                + String.join(", ", used) + ", which is no parameter; the parameters are "
                                + String.join(", ", variables(method))
                                + " (their names are known only if the class was compiled with -parameters)");
            }
        }
    }

    private static void collect(SpelNode node, Set<String> used) {
        if (node instanceof VariableReference variable) {
            used.add(variable.toStringAST());
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            collect(node.getChild(i), used);
        }
    }

    private static Set<String> variables(Method method) {
        Set<String> variables = new LinkedHashSet<>();
        String[] names = new DefaultParameterNameDiscoverer().getParameterNames(method);
        if (names != null) {
            Arrays.stream(names).map(name -> "#" + name).forEach(variables::add);
        }
        for (int i = 0; i < method.getParameterCount(); i++) {
            variables.add("#a" + i);
            variables.add("#p" + i);
        }
        return variables;
    }
}

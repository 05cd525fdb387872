package io.lockkeeper.flashsale;

import java.util.List;
import java.util.Locale;

/** Results as a picture: what was sold in each scene, and how fast in the first. Its colours suit light and dark pages. */
final class Chart {

    private static final String STYLE = """
            <style>
              text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #57606a }
              .title { font-size: 14px; font-weight: 600; fill: #24292f }
              .end { text-anchor: end }
              .stock { stroke: #8c959f; stroke-width: 1; stroke-dasharray: 3 3 }
              .good { fill: #0969da }
              .bad { fill: #bc4c00 }
              @media (prefers-color-scheme: dark) {
                text { fill: #9ea7b3 }
                .title { fill: #e6edf3 }
                .good { fill: #4493f8 }
                .bad { fill: #db6d28 }
              }
            </style>
            """;

    private static final int WIDTH = 760;
    private static final int LABELS = 200;
    private static final int FIGURES = 150;
    private static final int ROW = 22;
    private static final int GAP = 34;

    private final StringBuilder body = new StringBuilder();
    private int y;

    private Chart() {}

    static String of(String database, List<Result> results) {
        Chart chart = new Chart();
        for (Scene scene : Scene.values()) {
            List<Result> here =
                    results.stream().filter(result -> result.scene() == scene).toList();
            if (!here.isEmpty()) {
                chart.sold(database, scene, here);
                if (scene == Scene.SALE) {
                    chart.speed(here);
                }
            }
        }
        return String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n%s%s</svg>\n",
                WIDTH,
                chart.y + 8,
                WIDTH,
                chart.y + 8,
                STYLE,
                chart.body);
    }

    private void sold(String database, Scene scene, List<Result> results) {
        title(database + ": sold, where " + scene.title());
        int items = results.get(0).items();
        double most = results.stream().mapToInt(Result::sold).max().orElse(1);
        double scale = (WIDTH - LABELS - FIGURES) / Math.max(most, items);
        int top = y;
        for (Result result : results) {
            label(result);
            bar(LABELS, Math.min(result.sold(), items) * scale, "good");
            if (result.oversold() > 0) {
                bar(LABELS + items * scale, result.oversold() * scale, "bad");
            }
            figure(
                    LABELS + result.sold() * scale,
                    result.sold() + (result.oversold() > 0 ? ", " + result.oversold() + " oversold" : ""));
            y += ROW;
        }
        body.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" class=\"stock\"/>\n",
                LABELS + items * scale,
                top,
                LABELS + items * scale,
                y));
    }

    private void speed(List<Result> results) {
        title("Orders per second, and how long 99 of 100 customers waited at most");
        double most = results.stream().mapToDouble(Result::perSecond).max().orElse(1);
        double scale = (WIDTH - LABELS - FIGURES) / most;
        for (Result result : results) {
            label(result);
            bar(LABELS, result.perSecond() * scale, result.oversold() > 0 ? "bad" : "good");
            figure(
                    LABELS + result.perSecond() * scale,
                    String.format(
                            Locale.ROOT,
                            "%.0f, p99 %.0f ms",
                            result.perSecond(),
                            result.tally().p99()));
            y += ROW;
        }
    }

    private void title(String text) {
        y += GAP;
        text(0, y - 12, "title", text);
    }

    private void label(Result result) {
        text(LABELS - 8, y + 14, "end", result.way().title());
    }

    private void figure(double x, String text) {
        text(x + 6, y + 14, "", text);
    }

    private void bar(double x, double width, String kind) {
        body.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" class=\"%s\"/>\n",
                x,
                y + 3,
                Math.max(width, 1),
                ROW - 6,
                kind));
    }

    private void text(double x, int y, String kind, String text) {
        body.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%d\" class=\"%s\">%s</text>\n",
                x,
                y,
                kind,
                text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")));
    }
}

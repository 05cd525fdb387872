package io.lockkeeper.benchmarks.report;

import java.util.Locale;

/** A picture in the making. Its colours suit light and dark pages. */
final class Svg {

    private static final String STYLE = """
            <style>
              text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #57606a }
              .title { font-size: 14px; font-weight: 600; fill: #24292f }
              .end { text-anchor: end }
              .middle { text-anchor: middle }
              .grid { stroke: #d0d7de; stroke-width: 1 }
              .ours { fill: #0969da; stroke: #0969da }
              .peer { fill: #bc4c00; stroke: #bc4c00 }
              .floor { fill: #8c959f; stroke: #8c959f }
              .line { fill: none; stroke-width: 2 }
              @media (prefers-color-scheme: dark) {
                text { fill: #9ea7b3 }
                .title { fill: #e6edf3 }
                .grid { stroke: #3d444d }
                .ours { fill: #4493f8; stroke: #4493f8 }
                .peer { fill: #db6d28; stroke: #db6d28 }
                .floor { fill: #7d8590; stroke: #7d8590 }
                .line { fill: none }
              }
            </style>
            """;

    private final StringBuilder body = new StringBuilder();
    private final int width;
    private final int height;

    Svg(int width, int height, String title) {
        this.width = width;
        this.height = height;
        text(0, 16, "title", title);
    }

    Svg text(double x, double y, String kind, String text) {
        body.append(String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, kind, escaped(text)));
        return this;
    }

    Svg bar(double x, double y, double width, double height, String kind) {
        body.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" class=\"%s\"/>\n",
                x,
                y,
                Math.max(width, 1),
                height,
                kind));
        return this;
    }

    Svg line(double x1, double y1, double x2, double y2, String kind) {
        body.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n",
                x1,
                y1,
                x2,
                y2,
                kind));
        return this;
    }

    Svg dot(double x, double y, String kind) {
        body.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" class=\"%s\"/>\n", x, y, kind));
        return this;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n%s%s</svg>\n",
                width,
                height,
                width,
                height,
                STYLE,
                body);
    }
}

/**
 * Pictures by Observable Plot as SVG, which Jupyter keeps in the notebook and every viewer shows. They stand on white
 * with dark letters, for a picture cannot tell whether its viewer is light or dark.
 */
import { plot, type PlotOptions } from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { shown, type Shown } from "./shown.ts";

/** Room between the white ground's edge and what is drawn, in pixels. */
const BORDER = 8;

export function picture(options: PlotOptions): Shown {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  const svg = plot({ ...options, document, style: { fontSize: "12px", color: "#1f2328" } });
  const [width, height] = ["width", "height"].map((name) => Number(svg.getAttribute(name)) + 2 * BORDER);
  svg.setAttribute("width", `${width}`);
  svg.setAttribute("height", `${height}`);
  svg.setAttribute("viewBox", `${-BORDER} ${-BORDER} ${width} ${height}`);
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ x: -BORDER, y: -BORDER, width, height, rx: BORDER, fill: "white" })) {
    ground.setAttribute(name, `${value}`);
  }
  svg.prepend(ground);
  return shown("image/svg+xml", svg.outerHTML);
}

// A drawing that can be moved, zoomed, fitted and saved.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface Props {
  width: number;
  height: number;
  label: string;
  children: ComponentChildren;
  /** Buttons beside those for zooming. */
  tools?: ComponentChildren;
  name: string;
  /** Small drawings are shown as they are. */
  plain?: boolean;
}

interface Camera {
  x: number;
  y: number;
  scale: number;
}

/** Colours and fonts, which a saved drawing must bring along. */
const PROPERTIES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "opacity"];

export function Canvas({ width, height, label, children, tools, name, plain }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const [camera, setCamera] = useState<Camera>({ x: 0, y: 0, scale: 1 });
  const drag = useRef<{ x: number; y: number } | null>(null);
  const moved = useRef(false);
  const fit = () => {
    const box = frame.current?.getBoundingClientRect();
    if (box && box.width > 0) {
      const scale = Math.min(1.25, box.width / width, Math.max(60, box.height) / height);
      setCamera({ scale, x: (box.width - width * scale) / 2, y: Math.max(0, (box.height - height * scale) / 2) });
    }
  };
  useEffect(() => {
    fit();
    const observer = new ResizeObserver(fit);
    if (frame.current) {
      observer.observe(frame.current);
    }
    return () => observer.disconnect();
  }, [width, height]);
  useEffect(() => {
    const key = (event: Event) => {
      const wanted = (event as CustomEvent<string>).detail;
      if (wanted === "fit") {
        fit();
      } else {
        zoom(wanted === "in" ? 1.25 : 0.8);
      }
    };
    document.addEventListener("echis-zoom", key);
    return () => document.removeEventListener("echis-zoom", key);
  });
  const zoom = (factor: number, at?: { x: number; y: number }) => {
    const box = frame.current?.getBoundingClientRect();
    if (!box) {
      return;
    }
    const [x, y] = at ? [at.x - box.left, at.y - box.top] : [box.width / 2, box.height / 2];
    setCamera((old) => {
      const scale = Math.min(4, Math.max(0.05, old.scale * factor));
      const real = scale / old.scale;
      return { scale, x: x - (x - old.x) * real, y: y - (y - old.y) * real };
    });
  };
  const save = () => {
    if (!svg.current) {
      return;
    }
    const url = URL.createObjectURL(new Blob([standalone(svg.current, width, height)], { type: "image/svg+xml" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = `${name.replace(/[^\w.-]+/g, "_")}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  return (
    <div class={plain ? "canvas plain" : "canvas"} style={plain ? { height: `${Math.min(height, 420)}px` } : undefined}>
      <div class="tools">
        {tools}
        <button type="button" onClick={() => zoom(1.25)} title="zoom in (+)" aria-label="zoom in">+</button>
        <button type="button" onClick={() => zoom(0.8)} title="zoom out (-)" aria-label="zoom out">−</button>
        <button type="button" onClick={fit} title="fit (f)">fit</button>
        <button type="button" onClick={save} title="save as SVG">SVG</button>
      </div>
      <div
        class="frame"
        ref={frame}
        onWheel={(event) => {
          event.preventDefault();
          zoom(event.deltaY < 0 ? 1.12 : 0.89, { x: event.clientX, y: event.clientY });
        }}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX - camera.x, y: event.clientY - camera.y };
          moved.current = false;
        }}
        onPointerMove={(event) => {
          const from = drag.current;
          if (from && event.buttons > 0) {
            const [x, y] = [event.clientX - from.x, event.clientY - from.y];
            moved.current ||= Math.abs(x - camera.x) + Math.abs(y - camera.y) > 4;
            setCamera((old) => ({ ...old, x, y }));
          }
        }}
        onPointerUp={() => {
          drag.current = null;
        }}
        onClickCapture={(event) => {
          if (moved.current) {
            event.stopPropagation();
            moved.current = false;
          }
        }}
      >
        <svg ref={svg} width="100%" height="100%" role="group" aria-label={label}>
          <defs>
            <marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
              <path d="M0 0L10 5L0 10z" class="tip" />
            </marker>
          </defs>
          <g transform={`translate(${camera.x} ${camera.y}) scale(${camera.scale})`}>{children}</g>
        </svg>
      </div>
    </div>
  );
}

/** The drawing with its colours, for other programs. */
function standalone(svg: SVGSVGElement, width: number, height: number): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, index) => {
    const computed = getComputedStyle(originals[index] as Element);
    for (const property of PROPERTIES) {
      const value = computed.getPropertyValue(property);
      if (value) {
        element.setAttribute(property, value);
      }
    }
    element.removeAttribute("class");
  });
  copy.querySelector("g")?.removeAttribute("transform");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(Math.ceil(width)));
  copy.setAttribute("height", String(Math.ceil(height)));
  copy.setAttribute("viewBox", `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`);
  return new XMLSerializer().serializeToString(copy);
}

/** Text that fits, in a font of fixed width. */
export function cut(text: string, length: number): string {
  const flat = text.replace(/\s+/g, " ");
  return flat.length > length ? `${flat.slice(0, length - 1)}…` : flat;
}

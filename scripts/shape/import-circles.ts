import path from "node:path";
import ts from "typescript";
import type { Source } from "./product.ts";

/** The files that each file imports, for types too, as far as they are among the sources. */
function importsOf(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const files = new Set(sources.map(({ file }) => file));
  return new Map(
    sources.map(({ file, text }) => {
      const named = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
      const relative = named.filter((name) => name.startsWith("."));
      const targets = relative.map((name) => path.posix.join(path.posix.dirname(file), name));
      return [file, targets.filter((target) => files.has(target))];
    }),
  );
}

/**
 * The circles of files that import one another, largest first: strongly connected components of more than one
 * file, by Tarjan's algorithm (1972). Packages import each other by name, so a circle stays inside a package.
 */
export function importCircles(sources: readonly Source[]): readonly (readonly string[])[] {
  const imports = importsOf(sources);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];

  const visit = (file: string): void => {
    const number = order.size;
    order.set(file, number);
    lowest.set(file, number);
    path.push(file);
    for (const target of imports.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (path.includes(target))
        lowest.set(file, Math.min(lowest.get(file) ?? number, lowest.get(target) ?? 0));
    }
    if (lowest.get(file) !== number) return;
    const circle = path.splice(path.indexOf(file));
    if (circle.length > 1) circles.push(circle);
  };

  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles.toSorted((a, b) => b.length - a.length);
}

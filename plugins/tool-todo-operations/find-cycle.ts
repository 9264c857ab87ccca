/**
 * The nodes of one circle of a directed graph, in order, or undefined when there is none. `edges` leads from
 * a node to those it needs. Depth-first search with an explicit stack; linear in nodes and edges.
 */
export function findCycle(edges: ReadonlyMap<number, readonly number[]>): readonly number[] | undefined {
  const done = new Set<number>();
  for (const start of edges.keys()) {
    const path = new Set<number>();
    const open = [{ node: start, next: 0 }];
    while (open.length > 0) {
      const top = open[open.length - 1]!;
      const { node } = top;
      if (top.next === 0) path.add(node);
      const to = done.has(node) ? undefined : edges.get(node)?.[top.next++];
      if (to === undefined) {
        done.add(node);
        path.delete(node);
        open.pop();
      } else if (path.has(to)) return [...path].slice([...path].indexOf(to));
      else open.push({ node: to, next: 0 });
    }
  }
  return undefined;
}

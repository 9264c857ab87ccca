import { webAssembly } from "./web-assembly.ts";

const piece = 64 * 2 ** 20;
const wanted = 2 * 2 ** 30;

/** X08: two gigabytes of one kind. */
export function hold({ kind }: { readonly kind: string }): string {
  const held: unknown[] = [];
  const fillers: Readonly<Record<string, () => unknown>> = {
    buffer: () => Buffer.alloc(piece, 1),
    shared: () => new Uint8Array(new SharedArrayBuffer(piece)).fill(1),
    wasm: () => new Uint8Array(new webAssembly.Memory({ initial: piece / 65536 }).buffer).fill(1),
    heap: () => Array.from({ length: 1024 }, () => new Array<number>(8192).fill(0.5)),
  };
  const fill = fillers[kind];
  for (let bytes = 0; bytes < wanted; bytes += piece) held.push(fill?.());
  return `held ${held.length} pieces`;
}

import { ApiError, call, type Memory, pathOf } from "../link/index.ts";
import { Fold, Reading, useRead } from "../parts/index.ts";
import { counted } from "../text/index.ts";
import { MemoryItem } from "../views/memory-item.tsx";

const readOne = (id: string): Promise<Memory | undefined> =>
  call<Memory>(pathOf(["api", "memories", id])).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "not_found") return undefined;
    throw error;
  });

function Memories({ ids }: { readonly ids: readonly string[] }) {
  const read = useRead(() => Promise.all(ids.map(readOne)), ids.join());
  const draw = (memory: Memory | undefined) =>
    memory ? <MemoryItem memory={memory} again={read.again} /> : <p class="faint">Forgotten since then</p>;
  return <Reading read={read}>{(memories) => memories.map(draw)}</Reading>;
}

/** The memories that an answer was given: they are read when somebody wants to see them. */
export function MemoriesUsed({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <Fold look="tool" name={`${counted(ids.length, "memory", "memories")} used`}>
      <Memories ids={ids} />
    </Fold>
  );
}

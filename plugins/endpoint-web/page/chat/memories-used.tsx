import { useState } from "preact/hooks";
import { ApiError, call, type Memory, pathOf } from "../link/index.ts";
import { useRead } from "../parts/index.ts";
import { counted } from "../text/index.ts";
import { MemoryItem } from "../views/memory-item.tsx";

const read = (id: string): Promise<Memory | undefined> =>
  call<Memory>(pathOf(["api", "memories", id])).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "not_found") return undefined;
    throw error;
  });

/** The memories that an answer was given: they are read when somebody wants to see them. */
export function MemoriesUsed({ ids }: { readonly ids: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  const readAll = async () => (isOpen ? Promise.all(ids.map(read)) : undefined);
  const { value, failure, again } = useRead(readAll, `${isOpen}`);
  if (ids.length === 0) return null;
  return (
    <details class="tool" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{counted(ids.length, "memory", "memories")} used</summary>
      {value?.map((memory) =>
        memory ? <MemoryItem memory={memory} again={again} /> : <p class="faint">Forgotten since then</p>,
      )}
      {failure !== "" && <p class="failure">{failure}</p>}
    </details>
  );
}

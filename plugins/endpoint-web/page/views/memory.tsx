import { Button, Form, Reading, useRead } from "../parts/index.ts";
import { useState } from "preact/hooks";
import { call, type Memory, pathOf } from "../link/index.ts";
import { MemoryItem } from "./memory-item.tsx";
import { count } from "../text/index.ts";

interface Found {
  readonly memories: readonly Memory[];
  readonly count: number;
}

function foundWords(number: number, query: string): string {
  if (number > 0) return `${count(number)} remembered`;
  return query === "" ? "Nothing is remembered yet." : `Nothing found for “${query}”.`;
}

/** What is remembered: found by meaning, corrected, forgotten. */
export function MemoryView() {
  const [query, setQuery] = useState("");
  const read = () => call<Found>(pathOf(["api", "memories"], { q: query, limit: 100 }));
  const found = useRead(read, query);
  return (
    <div class="view">
      <h1>Memory</h1>
      <Form
        role="search"
        class="search"
        submit={(form) => setQuery((new FormData(form).get("words") as string).trim())}
      >
        <input
          name="words"
          type="search"
          aria-label="Search memory"
          placeholder="Search by meaning"
          onInput={(event) => event.currentTarget.value === "" && setQuery("")}
        />
        <Button>Search</Button>
      </Form>
      <Reading read={found}>
        {({ memories, count: number }) => (
          <>
            <p class="faint" role="status">
              {foundWords(number, query)}
            </p>
            <ul class="memories">
              {memories.map((memory) => (
                <li key={memory.id}>
                  <MemoryItem memory={memory} again={found.again} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Reading>
    </div>
  );
}

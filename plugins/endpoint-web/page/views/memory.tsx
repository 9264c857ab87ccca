import { Button, Form } from "../parts/button.tsx";
import { useState } from "preact/hooks";
import { call, pathOf } from "../link/api.ts";
import type { Memory } from "../link/wire.ts";
import { Failed, Loading } from "../parts/states.tsx";
import { useRead } from "../parts/use-read.tsx";
import { MemoryItem } from "./memory-item.tsx";
import { count } from "../text/format.ts";

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
  const [words, setWords] = useState("");
  const [query, setQuery] = useState("");
  const read = () => call<Found>(pathOf(["api", "memories"], { q: query, limit: 100 }));
  const { value, failure, again } = useRead(read, query);
  return (
    <div class="view">
      <h1>Memory</h1>
      <Form role="search" class="search" submit={() => setQuery(words.trim())}>
        <input
          type="search"
          aria-label="Search memory"
          placeholder="Search by meaning"
          value={words}
          onInput={(event) => {
            setWords(event.currentTarget.value);
            if (event.currentTarget.value === "") setQuery("");
          }}
        />
        <Button>Search</Button>
      </Form>
      {value === undefined && failure === "" && <Loading />}
      {failure !== "" && <Failed message={failure} retry={again} />}
      {value !== undefined && (
        <>
          <p class="faint" role="status">
            {foundWords(value.count, query)}
          </p>
          <ul class="memories">
            {value.memories.map((memory) => (
              <li key={memory.id}>
                <MemoryItem memory={memory} again={again} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

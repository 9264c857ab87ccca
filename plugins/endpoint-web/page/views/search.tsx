import { useState } from "preact/hooks";
import { type FoundMessages, pathOf } from "../link/index.ts";
import { From, Items, Line, Search, StatusLine } from "../parts/index.ts";
import { linkTo, open } from "../state/index.ts";
import { counted, dayAndTime, joined, visible } from "../text/format.ts";

type Hit = FoundMessages["hits"][number];

/** A message with the piece of it in which words were found; they are marked. */
export function HitLine({ conversationId, messageId, title, role, timestamp, snippet, marks }: Hit) {
  const edges = marks.flatMap(([start, length]) => [start, start + length]);
  const pieces = [0, ...edges].map((from, index) => visible(snippet.slice(from, edges[index])));
  return (
    <Line
      name={<a href={linkTo("c", conversationId, "m", messageId)}>{title}</a>}
      note={[
        joined(role, dayAndTime(timestamp)),
        <p>{pieces.map((piece, index) => (index % 2 === 1 ? <mark>{piece}</mark> : piece))}</p>,
      ]}
    />
  );
}

export const searchPath = (words: string, limit: number): string =>
  pathOf(["api", "search"], { q: words, limit });

export function SearchView({ words = "" }: { readonly words?: string | undefined }) {
  const [limit, setLimit] = useState(50);
  return [
    <Search key={words} name="Search messages" value={words} find={(next) => open("search", next)} />,
    words !== "" && (
      <From<FoundMessages>
        path={searchPath(words, limit)}
        waits={({ complete }) => (complete ? 0 : 2000)}
        children={({ hits, count, complete }) => [
          <StatusLine
            text={joined(counted(count, "message"), !complete && "more are still being indexed")}
          />,
          <Items of={hits} count={count} more={() => setLimit(limit + 50)}>
            {(hit) => <HitLine key={hit.messageId} {...hit} />}
          </Items>,
        ]}
      />
    ),
  ];
}

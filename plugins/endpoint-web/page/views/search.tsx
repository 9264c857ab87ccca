import { useState } from "preact/hooks";
import { call, type FoundMessages, pathOf } from "../link/index.ts";
import { Items, Line, Reading, Search, useRead, View } from "../parts/index.ts";
import { linkTo, open } from "../state/index.ts";
import { counted, dayAndTime, joined, visible } from "../text/format.ts";

const nothing: FoundMessages = { hits: [], count: 0, complete: true };

/** The piece of a message, with what was looked for marked in it. */
function Snippet({ snippet, marks }: FoundMessages["hits"][number]) {
  const edges = marks.flatMap(([start, length]) => [start, start + length]);
  const pieces = [0, ...edges].map((from, index) => visible(snippet.slice(from, edges[index])));
  return <p>{pieces.map((piece, index) => (index % 2 === 1 ? <mark>{piece}</mark> : piece))}</p>;
}

/** Messages of all conversations, found by their words. */
export function SearchView({ words = "" }: { readonly words?: string | undefined }) {
  const [limit, setLimit] = useState(50);
  const path = pathOf(["api", "search"], { q: words, limit });
  const find = async () => (words === "" ? nothing : call<FoundMessages>(path));
  const read = useRead(find, path, ({ complete }) => (complete ? 0 : 2000));
  return (
    <View name="Search">
      <Search key={words} name="Search messages" value={words} find={(next) => open("search", next)} />
      <Reading read={read}>
        {({ hits, count, complete }) => (
          <>
            <p class="faint" role="status">
              {words !== "" && joined(counted(count, "message"), !complete && "more are still being indexed")}
            </p>
            <Items of={hits} count={count} more={() => setLimit(limit + 50)}>
              {(hit) => (
                <Line
                  key={hit.messageId}
                  name={<a href={linkTo("c", hit.conversationId, "m", hit.messageId)}>{hit.title}</a>}
                  note={[joined(hit.role, dayAndTime(hit.timestamp)), <Snippet {...hit} />]}
                />
              )}
            </Items>
          </>
        )}
      </Reading>
    </View>
  );
}

import type { Context } from "../link/index.ts";
import { Fold, From, openPanel } from "../parts/index.ts";
import { nameOf, thread } from "../state/index.ts";
import { count, joined, visible } from "../text/format.ts";

/** What the model saw for the newest answer, part by part. */
const ContextParts = () => (
  <From<Context> path={thread.value.path(["context"], { text: true })}>
    {({ model, usable, estimatedTokens, parts }) => [
      <p class="faint">
        {joined(nameOf(model), `about ${count(estimatedTokens)} of ${count(usable)} tokens`)}
      </p>,
      parts.map(({ kind, title, tokens, text = "Its text is not kept." }) => (
        <Fold key={kind} name={joined(title, count(tokens))}>
          <pre tabIndex={0}>{visible(text)}</pre>
        </Fold>
      )),
    ]}
  </From>
);

export const openContext = (): void => openPanel("Context", <ContextParts />);

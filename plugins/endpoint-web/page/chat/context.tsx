import { call, type Context } from "../link/index.ts";
import { Button, Fold, From, openPanel, useRead } from "../parts/index.ts";
import { nameOf, thread } from "../state/index.ts";
import { count, joined, visible } from "../text/format.ts";

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

/** The way there, which says how full of what the model saw its context was: from its first answer on. */
export function ContextButton() {
  const { path, turns, live } = thread.value;
  const isAnswered = turns.value.some((turn) => turn.kind === "answer" && turn.parts.value.length > 0);
  const read = async () => (isAnswered ? call<Context>(path(["context"])) : undefined);
  const { value } = useRead(read, `${path()} ${live.value?.id} ${isAnswered}`);
  if (!isAnswered) return null;
  const full = value && ` ${Math.round((100 * value.estimatedTokens) / value.usable)} %`;
  const show = () => openPanel("Context", <ContextParts />);
  return <Button look="quiet" press={show} label={`Context${full ?? ""}`} />;
}

import { useState } from "preact/hooks";
import { visible } from "../text/index.ts";
import type { Send } from "./approval-card.tsx";
import { Button, Form } from "../parts/index.ts";

/** An answer in own words, or one of those that the model offers. */
export function QuestionForm({
  options,
  send,
}: {
  readonly options: readonly string[];
  readonly send: Send;
}) {
  const [answer, setAnswer] = useState("");
  return (
    <Form submit={() => answer.trim() !== "" && send({ userResponse: answer })}>
      <div class="answers">
        {options.map((option) => (
          <Button press={() => send({ userResponse: option })} label={visible(option)} />
        ))}
      </div>
      <label>
        Your answer
        <textarea rows={2} value={answer} onInput={(event) => setAnswer(event.currentTarget.value)} />
      </label>
      <div class="answers">
        <Button look="primary" label="Answer" />
      </div>
    </Form>
  );
}

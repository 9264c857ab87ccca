import { useState } from "preact/hooks";
import { visible } from "../text/visible.ts";
import type { Send } from "./approval-card.tsx";

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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (answer.trim() !== "") void send({ userResponse: answer });
      }}
    >
      <div class="answers">
        {options.map((option) => (
          <button type="button" onClick={() => void send({ userResponse: option })}>
            {visible(option)}
          </button>
        ))}
      </div>
      <label>
        Your answer
        <textarea rows={2} value={answer} onInput={(event) => setAnswer(event.currentTarget.value)} />
      </label>
      <div class="answers">
        <button type="submit" class="primary">
          Answer
        </button>
      </div>
    </form>
  );
}

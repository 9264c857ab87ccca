import { Button, Form } from "../parts/index.ts";
import { visible } from "../text/index.ts";
import type { Send } from "./approval-card.tsx";

type QuestionProps = Readonly<{ options: readonly string[]; send: Send }>;

/** An answer in own words, or one of those that the model offers. */
export const QuestionForm = ({ options, send }: QuestionProps) => (
  <Form submit={({ answer = "" }) => answer !== "" && send({ userResponse: answer })}>
    <div class="answers">
      {options.map((option) => (
        <Button press={() => send({ userResponse: option })} label={visible(option)} />
      ))}
    </div>
    <label>
      Your answer
      <textarea name="answer" rows={2} />
    </label>
    <div class="answers">
      <Button look="primary" label="Answer" />
    </div>
  </Form>
);

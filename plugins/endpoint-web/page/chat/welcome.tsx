import { thread } from "../state/index.ts";
import { Button } from "../parts/index.ts";

const examples = ["What can you do here?", "How do I connect a model?", "Which tools are there?"];

/** What a new conversation shows. */
export function Welcome() {
  const current = thread.value;
  if (!current.isNew) return <p class="empty">Say what you want done.</p>;
  return (
    <div class="welcome">
      <p class="greeting">What do you want done?</p>
      <ul class="examples">
        {examples.map((text) => (
          <li>
            <Button look="example" press={() => current.send(text)} label={text} />
          </li>
        ))}
      </ul>
    </div>
  );
}

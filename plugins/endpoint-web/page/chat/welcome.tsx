import { linkTo } from "../state/address.ts";
import { defaultModel, hasOwnModel, isGuide, models } from "../state/models.ts";
import { thread } from "../state/thread.ts";
import { Button } from "../parts/button.tsx";

const examples = ["What can you do here?", "How do I connect a model?", "Which tools are there?"];

/** What a new conversation shows. */
export function Welcome() {
  const current = thread.value;
  if (!current.isNew) return <p class="empty">Say what you want done.</p>;
  const isAlone = models.value !== undefined && !hasOwnModel.value;
  return (
    <div class="welcome">
      <p class="greeting">What do you want done?</p>
      <ul class="examples">
        {examples.map((text) => (
          <li>
            <Button look="example" press={() => current.send(text)}>
              {text}
            </Button>
          </li>
        ))}
      </ul>
      {(isAlone || isGuide(defaultModel.value)) && (
        <section class="notice" aria-label="Connect a model">
          <p>
            The built-in guide answers questions about Pergola. It is not a language model.{" "}
            <a href={linkTo("models")}>Connect a model</a>
          </p>
        </section>
      )}
    </div>
  );
}

import { useState } from "preact/hooks";
import { ApprovalCard } from "../chat/approval-card.tsx";
import { approvals, linkTo, titleOf } from "../state/index.ts";

/** All that waits for a person, the oldest first. What was answered here stays until the view is left. */
export function WaitingView({ id }: { readonly id?: string | undefined }) {
  const [seen] = useState(() => new Map<string, string>(id === undefined ? [] : [[id, ""]]));
  for (const one of approvals.value) seen.set(one.id, one.conversationId);
  return [
    seen.size === 0 && <p class="empty">Nothing waits for you.</p>,
    [...seen].map(([approval, conversation]) => (
      <div class="waiting" key={approval}>
        {conversation !== "" && (
          <p class="faint">
            In <a href={linkTo("c", conversation)}>{titleOf(conversation)}</a>
          </p>
        )}
        <ApprovalCard id={approval} />
      </div>
    )),
  ];
}

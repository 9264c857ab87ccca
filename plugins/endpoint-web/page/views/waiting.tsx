import { useState } from "preact/hooks";
import { ApprovalCard } from "../chat/approval-card.tsx";
import { type Approval, call, type MessagePage, pathOf } from "../link/index.ts";
import { useRead } from "../parts/index.ts";
import { approvals, linkTo, titleOf } from "../state/index.ts";
import { visible } from "../text/format.ts";

/** What the model has said with its call: in a chat it stands above the card. */
function Words({ conversationId = "", toolCallId }: Partial<Approval>) {
  const path = pathOf(["v1", "conversations", conversationId, "messages"], { limit: 20 });
  const { value } = useRead(() => call<MessagePage>(path), path);
  const said = value?.messages.find(({ toolCalls = [] }) => toolCalls.some(({ id }) => id === toolCallId));
  return said?.content && <blockquote class="said">The model says: {visible(said.content)}</blockquote>;
}

/** All that waits for a person, the oldest first. What was answered here stays until the view is left. */
export function WaitingView({ id }: { readonly id?: string | undefined }) {
  const [seen] = useState(() => new Map<string, Partial<Approval>>(id === undefined ? [] : [[id, {}]]));
  for (const one of approvals.value) seen.set(one.id, one);
  return [
    seen.size === 0 && <p class="empty">Nothing waits for you.</p>,
    [...seen].map(([key, one]) => (
      <div class="waiting" key={key}>
        {one.conversationId !== undefined && [
          <p class="faint">
            In <a href={linkTo("c", one.conversationId)}>{titleOf(one.conversationId)}</a>
          </p>,
          <Words {...one} />,
        ]}
        <ApprovalCard id={key} />
      </div>
    )),
  ];
}

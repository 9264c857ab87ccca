import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Approval, call, pathOf } from "../link/index.ts";
import { Button, Field, type Fields, focusOn, Form, Select, useAct, useRead } from "../parts/index.ts";
import { approvals } from "../state/index.ts";
import { agentOf, clockTime, joined, visible } from "../text/format.ts";
import { effectOf, PreviewOf } from "./preview.tsx";

const answeredHere = signal<ReadonlySet<string>>(new Set());

/** So long a new card takes no click: none that was meant for something else shall hit it. */
const settling = 500;

/** Where a permission holds that lasts: what a call of files touches, its folder. */
function grantsFor({ paths }: Approval) {
  const folder = /([^/\\]+)[/\\][^/\\]*$/.exec(paths[0] ?? "")?.[1];
  const where = folder === undefined ? "" : ` in ${visible(folder)}`;
  return [
    { name: "This once", body: { grant: "once" } },
    { name: `For 5 minutes${where}`, body: { grant: "time", expiresIn: "5m" } },
    { name: `In this conversation${where}`, body: { grant: "conversation" } },
  ];
}

function Answered({ approval }: { readonly approval: Approval }) {
  const { id, decision, answeredAt } = approval;
  const who = answeredHere.value.has(id) ? "You" : "Another window";
  const did = { approved: "approved this", denied: "refused this", text: "answered" }[decision ?? "text"];
  const time = answeredAt === null ? "" : `, ${clockTime(answeredAt)}`;
  const words = {
    answered: `${who} ${did}${time}`,
    expired: "Nobody answered in time",
    cancelled: "No longer needed",
    pending: "",
  }[approval.status];
  return (
    <p class="answered" tabIndex={-1}>
      {words}: <span class="faint">{visible(approval.prompt)}</span>
    </p>
  );
}

type Send = (body: object) => Promise<void>;
type AnswerProps = Readonly<{ approval: Approval; send: Send }>;

function ApprovalForm({ approval, send }: AnswerProps) {
  const [grant, setGrant] = useState(0);
  const [isRefusing, setRefusing] = useState(false);
  const grants = grantsFor(approval);
  const approve = () => send({ approved: true, ...grants[grant]?.body });
  const refuse = ({ comment }: Fields) =>
    send({ approved: false, ...(comment && { userResponse: comment }) });
  if (isRefusing)
    return (
      <Form class="answers" submit={refuse}>
        <Field label="What should be done instead? (optional)" name="comment" ref={focusOn} />
        <Button label="Refuse" />
        <Button isLocal look="quiet" press={() => setRefusing(false)} label="Back" />
      </Form>
    );
  return (
    <div class="answers">
      <Button look="primary" data-key="a" press={approve} label={effectOf(approval)} />
      <Button data-key="r" press={() => setRefusing(true)} label="Refuse…" />
      <Select
        isLocal
        aria-label="How long this is allowed"
        data-key="g"
        value={`${grant}`}
        options={grants.map(({ name }, index) => [`${index}`, name])}
        choose={(index) => setGrant(Number(index))}
      />
    </div>
  );
}

const QuestionForm = ({ approval: { options }, send }: AnswerProps) => (
  <Form submit={({ answer = "" }) => answer !== "" && send({ userResponse: answer })}>
    <div class="answers">
      {options.map((option) => (
        <Button press={() => send({ userResponse: option })} label={visible(option)} />
      ))}
    </div>
    <Field label="Your answer" children={<textarea name="answer" rows={2} />} />
    <div class="answers" children={<Button look="primary" label="Answer" />} />
  </Form>
);

function Reason({ text }: { readonly text: string }) {
  const [, changed, reason = ""] = /^(changed since it was shown; )?([^]*)$/.exec(text) ?? [];
  return [
    changed && <p class="failure">This has changed since you saw it: look again.</p>,
    <p>It asks because {visible(reason)}.</p>,
  ];
}

function OpenCard({ approval, onAnswer }: { readonly approval: Approval; readonly onAnswer: () => void }) {
  const card = useRef<HTMLElement>(null);
  const [isSettled, setSettled] = useState(false);
  const { failure, act } = useAct();
  useEffect(() => void setTimeout(setSettled, settling, true), []);
  const send: Send = (body) =>
    act(async () => {
      if (!isSettled) throw new Error("This has only just appeared. Look at it, and press again.");
      await call(pathOf(["api", "approvals", approval.id]), "POST", body).finally(onAnswer);
      answeredHere.value = new Set([...answeredHere.peek(), approval.id]);
      setTimeout(() => card.current?.focus());
    });
  const isQuestion = approval.kind === "question";
  const Answers = isQuestion ? QuestionForm : ApprovalForm;
  const title = joined(isQuestion ? "Asks you" : "Needs your decision", agentOf(approval.parentToolName));
  return (
    <section
      ref={card}
      id={`card-${approval.id}`}
      class="approval"
      tabIndex={-1}
      aria-label={`${title}: ${visible(approval.prompt)}`}
      aria-busy={!isSettled}
    >
      <h3>{title}</h3>
      <p class="prompt">{visible(approval.prompt)}</p>
      {approval.reason && !isQuestion && <Reason text={approval.reason} />}
      {!isQuestion && <PreviewOf approval={approval} />}
      {approval.context && <blockquote class="said">The model says: {visible(approval.context)}</blockquote>}
      <Answers approval={approval} send={send} />
      {failure !== "" && <p class="failure">{failure}</p>}
    </section>
  );
}

export function ApprovalCard({ id }: { readonly id: string }) {
  const pending = approvals.value.find((one) => one.id === id);
  const path = pathOf(["api", "approvals", id]);
  const { value: read, again } = useRead(() => call<Approval>(path), `${path} ${pending === undefined}`);
  const approval = read !== undefined && read.status !== "pending" ? read : { ...pending, ...read };
  if (approval.id === undefined) return null;
  if (approval.status !== "pending") return <Answered approval={approval as Approval} />;
  return <OpenCard approval={approval as Approval} onAnswer={again} />;
}

import { focusComposer } from "../chat/composer.tsx";
import { address, approvals, open, overlay, thread } from "../state/index.ts";
import { KeyList, Palette } from "../views/palette.tsx";

const isMac = /Mac/.test(navigator.platform);

function goToWaiting(): void {
  const shown = document.querySelector<HTMLElement>("[id^=card-]");
  if (shown !== null) return shown.focus();
  const [first] = approvals.peek();
  if (first === undefined) return;
  open("c", first.conversationId);
  setTimeout(() => document.getElementById(`card-${first.id}`)?.focus(), 400);
}

function moveTo(step: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(".message")];
  const at = all.findIndex((one) => one.contains(document.activeElement));
  const next = at === -1 ? all.at(-1) : all[at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

const regions = ["nav", "#main", "#message"];

function nextRegion(step: 1 | -1): boolean {
  const at = regions.findIndex((name) => document.querySelector(name)?.contains(document.activeElement));
  const next = document.querySelector<HTMLElement>(regions[at + step] ?? "");
  next?.focus();
  return next !== null;
}

/** From one link of the list, or of what a search finds as one types, to another. */
function moveInList(step: 1 | -1): (() => void) | undefined {
  const list = document.activeElement?.closest("nav, dialog:has([role=search])");
  const all = [...(list?.querySelectorAll<HTMLElement>("[type=search], a") ?? [])];
  const next = all[all.findIndex((one) => one === document.activeElement) + step];
  return next && (() => next.focus());
}

const withControl: Readonly<Record<string, () => void>> = {
  k: () => (overlay.value = <Palette />),
  "/": () => (overlay.value = <KeyList />),
  ".": () => void thread.peek().stop(),
};

const alone: Readonly<Record<string, () => (() => void) | undefined>> = {
  ArrowUp: () => moveInList(-1),
  ArrowDown: () => moveInList(1),
  Escape: () => {
    const isInChat = ["", "c"].includes(address.peek()[0] ?? "");
    return isInChat && document.querySelector("dialog") === null ? focusComposer : undefined;
  },
};

const withAlt: Readonly<Record<string, () => void>> = {
  n: () => (open(), void setTimeout(focusComposer)),
  a: goToWaiting,
  ArrowUp: () => moveTo(-1),
  ArrowDown: () => moveTo(1),
};

/** A letter's button in the message or the card that has the focus: it is pressed, unless somebody types. */
function letterAction({ key, target }: KeyboardEvent): (() => void) | undefined {
  if (!/^[a-z]$/i.test(key) || !(target instanceof Element)) return undefined;
  if (target.closest("input, textarea, select") !== null) return undefined;
  const thing = target.closest(".message, .approval");
  const found = thing?.querySelector<HTMLElement>(`[data-key=${key.toLowerCase()}]`);
  // What a card in a message asks is answered in that card alone.
  if (!found || found.closest(".message, .approval") !== thing) return undefined;
  return () => (found instanceof HTMLButtonElement ? found.click() : found.focus());
}

function actionFor(event: KeyboardEvent): (() => void) | undefined {
  if (isMac ? event.metaKey : event.ctrlKey) return withControl[event.key];
  if (event.altKey) return withAlt[event.key] ?? withAlt[event.code.replace(/^Key/, "").toLowerCase()];
  return alone[event.key]?.() ?? letterAction(event);
}

/** The keys of the whole page. */
export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    if (event.key === "F6" && nextRegion(event.shiftKey ? -1 : 1)) return event.preventDefault();
    const act = actionFor(event);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

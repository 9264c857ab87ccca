import { focusComposer } from "../chat/composer.tsx";
import { address, approvals, open, overlay, thread } from "../state/index.ts";
import { openKeys, Palette } from "../views/palette.tsx";

const isMac = /Mac/.test(navigator.platform);

function goToWaiting(): void {
  const shown = document.querySelector<HTMLElement>("[id^=card-]");
  if (shown !== null) return shown.focus();
  const [first] = approvals.peek();
  if (first === undefined) return;
  open("c", first.conversationId);
  setTimeout(() => document.getElementById(`card-${first.id}`)?.focus(), 400);
}

/** From the one that has the focus, among those a selector finds, to the next; from elsewhere to the last. */
function move(place: ParentNode, selector: string, step: 1 | -1): boolean {
  const things = [...place.querySelectorAll(selector)];
  const at = things.findLastIndex((one) => one.contains(document.activeElement));
  const next = at === -1 ? things.at(-1) : things[at + step];
  (next as HTMLElement | undefined)?.focus();
  return next !== undefined;
}

const [links, overlays] = ["a, [type=search]", "dialog, :popover-open"];

/** From one link of the list, or of what is found as one types, to another. */
function moveInList(step: 1 | -1): boolean {
  const from = document.activeElement;
  const list = from?.matches(links) && from.closest("nav, dialog:has([role=search])");
  return list ? move(list, links, step) : false;
}

/** A letter's button in the message or the card that has the focus: it is pressed, unless somebody types. */
function pressLetter({ key, target }: KeyboardEvent): boolean {
  const isTyped = !(target instanceof Element) || target.matches("input, textarea, select");
  const place = !isTyped && /^[a-z]$/i.test(key) && target.closest(".message, .approval");
  const found = place && place.querySelector<HTMLElement>(`[data-key=${key.toLowerCase()}]`);
  // What a card in a message asks is answered in that card alone.
  if (!found || found.closest(".message, .approval") !== place) return false;
  if (!found.checkVisibility({ visibilityProperty: true })) return false;
  if (found instanceof HTMLButtonElement) found.click();
  else found.focus();
  return true;
}

/** What a key does; with false it is the browser's. */
type Act = (event: KeyboardEvent) => unknown;

const acts: Readonly<Record<string, Act>> = {
  "Ctrl+k": () => (overlay.value = <Palette />),
  "Ctrl+/": openKeys,
  "Ctrl+.": () => thread.peek().stop(),
  "Alt+n": () => (open(), setTimeout(focusComposer)),
  "Alt+a": goToWaiting,
  "Alt+ArrowUp": () => move(document, ".message", -1),
  "Alt+ArrowDown": () => move(document, ".message", 1),
  ArrowUp: () => moveInList(-1),
  ArrowDown: () => moveInList(1),
  F6: ({ shiftKey }) => move(document, "nav, #main, #message", shiftKey ? -1 : 1),
  Escape: () => /^c?$/.test(address.peek()[0] ?? "") && !document.querySelector(overlays) && focusComposer(),
};

function actionFor({ key, code, ctrlKey, metaKey, altKey }: KeyboardEvent): Act | undefined {
  if (ctrlKey || metaKey) return isMac === metaKey ? acts[`Ctrl+${key}`] : undefined;
  if (altKey) return acts[`Alt+${key}`] ?? acts[`Alt+${code.replace(/^Key/, "").toLowerCase()}`];
  return acts[key] ?? pressLetter;
}

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    const act = actionFor(event);
    if (act !== undefined && act(event) !== false) event.preventDefault();
  });
}

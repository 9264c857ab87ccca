import { computed, signal } from "@preact/signals";
import type { ComponentChild } from "preact";

const fragment = signal(location.hash);
addEventListener("hashchange", () => (fragment.value = location.hash));

/** The steps of the view's address: `#/c/<id>` is `["c", "<id>"]`. */
export const address = computed(() =>
  fragment.value
    .replace(/^#?\/?/, "")
    .split("/")
    .filter(Boolean)
    // It reads what somebody has typed, too, which need not be encoded.
    .map((step) => new URLSearchParams(`step=${step}`).get("step") ?? ""),
);

export const linkTo = (...steps: readonly string[]): string => `#/${steps.map(encodeURIComponent).join("/")}`;

export const open = (...steps: readonly string[]): void => void (location.hash = linkTo(...steps));

export function replaceBy(...steps: readonly string[]): void {
  history.replaceState(null, "", linkTo(...steps));
  fragment.value = location.hash;
}

export const overlay = signal<ComponentChild>(undefined);

export const closeDialog = (): void => (overlay.value = undefined);

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { closeDialog, overlay } from "../state/address.ts";
import { Button } from "./button.tsx";

export function Dialog({ name, children }: Readonly<{ name: string; children: ComponentChildren }>) {
  const dialog = useRef<HTMLDialogElement>(null);
  // At once, so that what is typed after the key that opens it comes to it.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={name}
      onClose={({ currentTarget }) => currentTarget.isConnected && closeDialog()}
      onClick={({ target }) => target === dialog.current && closeDialog()}
    >
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

/** Shows a dialog to be read: its name above, and the way out below. */
export function openPanel(name: string, children: ComponentChildren): void {
  overlay.value = (
    <Dialog key={name} name={name}>
      <h2 tabIndex={-1} autofocus children={name} />
      {children}
      <Button isLocal press={closeDialog} label="Close" />
    </Dialog>
  );
}

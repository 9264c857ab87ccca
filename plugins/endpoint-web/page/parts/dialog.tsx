import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type DialogProps = Readonly<{ name: string; onClose: () => void; children: ComponentChildren }>;

/** A dialog over the page. The focus goes back to what opened it. */
export function Dialog({ name, onClose, children }: DialogProps) {
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
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

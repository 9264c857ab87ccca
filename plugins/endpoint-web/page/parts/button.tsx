import type { ButtonHTMLAttributes, FormHTMLAttributes } from "preact";

interface ButtonProps extends Omit<ButtonHTMLAttributes, "onClick" | "type" | "class"> {
  /** Without it the button submits its form. */
  readonly press?: () => unknown;
  readonly look?: "primary" | "primary send" | "quiet" | "example" | "to-end" | "list-button";
}

/** A button that does what it says; `look` is how it stands out. */
export function Button({ press, look, ...rest }: ButtonProps) {
  return <button type={press ? "button" : "submit"} class={look} onClick={() => void press?.()} {...rest} />;
}

interface FormProps extends FormHTMLAttributes<HTMLFormElement> {
  readonly submit: (form: HTMLFormElement) => unknown;
}

/** Fields that are sent by the page, not by the browser. */
export function Form({ submit, ...rest }: FormProps) {
  const send = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    void submit(event.currentTarget);
  };
  return <form onSubmit={send} {...rest} />;
}

import type { ButtonHTMLAttributes, FormHTMLAttributes, SelectHTMLAttributes } from "preact";

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

interface SelectProps extends Pick<SelectHTMLAttributes, "id" | "disabled" | "aria-label"> {
  readonly "data-key"?: string;
  readonly value: string;
  /** What is chosen from, each with its name. */
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly choose: (value: string) => unknown;
}

/** One of several. */
export function Select({ options, choose, ...rest }: SelectProps) {
  return (
    <select onChange={(event) => void choose(event.currentTarget.value)} {...rest}>
      {options.map(([value, name]) => (
        <option value={value}>{name}</option>
      ))}
    </select>
  );
}

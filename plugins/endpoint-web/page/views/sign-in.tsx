import { signIn } from "../link/index.ts";
import { Button, Field, type Fields, focusOn, Form } from "../parts/index.ts";

export function SignInView() {
  const send = ({ token = "" }: Fields, form: HTMLFormElement) => {
    form.reset();
    return signIn({ body: {}, token });
  };
  return (
    <main id="main" class="view" tabIndex={-1}>
      <h1>Sign in</h1>
      <p>
        This service asks who you are. <code>pergola open</code> on its computer signs this browser in;{" "}
        <code>pergola tokens add my-phone --link</code> makes a link for another device.
      </p>
      <Form class="options" submit={send}>
        <Field label="Token" name="token" type="password" autoComplete="off" required ref={focusOn} />
        <Button look="primary" label="Sign in" />
      </Form>
    </main>
  );
}

import { Button, Form, useAct } from "../parts/index.ts";
import { useState } from "preact/hooks";
import { signInByToken } from "../link/session.ts";

/** Asks for a token where the service wants one. */
export function SignInView() {
  const { failure, act } = useAct();
  const [isBusy, setBusy] = useState(false);
  const signIn = async (form: HTMLFormElement) => {
    const token = (new FormData(form).get("token") as string).trim();
    form.reset();
    setBusy(true);
    await act(() => signInByToken(token));
    setBusy(false);
  };
  return (
    <main id="main" class="sign-in" tabIndex={-1}>
      <h1>Sign in</h1>
      <p>
        This service asks who you are. <code>pergola open</code> on its computer signs this browser in;{" "}
        <code>pergola tokens add my-phone --link</code> makes a link for another device.
      </p>
      <Form submit={signIn}>
        <label>
          Token
          <input name="token" type="password" autoComplete="off" required ref={(field) => field?.focus()} />
        </label>
        <Button look="primary" disabled={isBusy}>
          Sign in
        </Button>
      </Form>
      {failure !== "" && (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
    </main>
  );
}

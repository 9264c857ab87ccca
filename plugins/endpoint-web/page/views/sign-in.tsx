import { Button, Form } from "../parts/index.ts";
import { useState } from "preact/hooks";
import { ApiError, messageOf } from "../link/index.ts";
import { signInByToken } from "../link/session.ts";

/** Asks for a token where the service wants one. */
export function SignInView() {
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const signIn = async (form: HTMLFormElement) => {
    const token = (new FormData(form).get("token") as string).trim();
    form.reset();
    setBusy(true);
    try {
      await signInByToken(token);
    } catch (error) {
      const wait =
        error instanceof ApiError && error.retryAfter > 0 ? ` Try again in ${error.retryAfter} s.` : "";
      setFailure(messageOf(error) + wait);
    }
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

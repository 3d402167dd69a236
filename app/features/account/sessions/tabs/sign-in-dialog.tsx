import { useId, useRef, useState } from "react";
import type { SubmitEvent } from "react";

import { verifyPath } from "#app/features/account/return-to.ts";
import { PasswordField } from "#app/features/account/sign-in/password-field.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Modal, ModalFooter, ModalHeader, modalPadding } from "#app/ui/components/modal.tsx";
import { parseJsonObject, submitInPlace } from "#app/ui/forms/submit-in-place.ts";

import { signInHerePath } from "./sign-in-here-state.ts";

type SignInDialogProps = {
  email: string;
  /** A save was refused, and is repeated after the sign-in. */
  isSaving: boolean;
  onSignedIn: () => void;
  onClose: () => void;
};

/** Signs in on a page with unsaved changes, which stays as it is. A sign-in in another tab closes it as well. */
export default function SignInDialog({ email, isSaving, onSignedIn, onClose }: SignInDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [refusal, setRefusal] = useState<Refusal>();
  const [isBusy, setBusy] = useState(false);

  const signIn = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const password = new FormData(event.currentTarget).get("password");
    setBusy(true);
    const body = new URLSearchParams({ email, password: typeof password === "string" ? password : "" });
    const result = readResult((await submitInPlace(signInHerePath, body)).text);
    setBusy(false);
    if (result === "signed-in") return onSignedIn();
    setRefusal(result);
  };

  return (
    <Modal
      ref={dialog}
      className={`w-[calc(100%-40px)] max-w-110 ${modalPadding}`}
      labelledBy={`${id}-title`}
      describedBy={`${id}-text`}
      onClose={onClose}
    >
      <ModalHeader id={`${id}-title`} title={isSaving ? "Sign in to save your changes" : "Sign in to keep working"} />
      <p id={`${id}-text`} className="text-muted wrap-anywhere">
        Your session for {email} has ended. What you typed is still here.
      </p>
      <form noValidate onSubmit={(event) => void signIn(event)} className="mt-5 grid gap-5">
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField error={refusal?.problem} isFirstProblem={false} />
        <ModalFooter>
          <Button onClick={onClose}>Not now</Button>
          <ButtonLink href={refusal?.next ?? "/auth"} target="_blank">
            {refusal?.next ? "Continue in a new tab" : "Sign in another way"}
          </ButtonLink>
          <Button variant="main" type="submit" aria-disabled={isBusy}>
            {isBusy ? "Signing in..." : isSaving ? "Sign in and save" : "Sign in"}
          </Button>
        </ModalFooter>
      </form>
    </Modal>
  );
}

/** `next`: the page that finishes the sign-in. */
type Refusal = { problem: string; next?: string };

function readResult(text: string): "signed-in" | Refusal {
  const result = parseJsonObject(text);
  const kind = result && "kind" in result ? result.kind : undefined;
  if (kind === "signed-in") return kind;
  if (kind === "second-factor")
    return { problem: "Your account has two-step verification: continue in a new tab.", next: verifyPath(undefined) };
  const problem = result && "problem" in result && typeof result.problem === "string" ? result.problem : "";
  return { problem: problem || "Couldn't sign you in. Check your connection and try again." };
}

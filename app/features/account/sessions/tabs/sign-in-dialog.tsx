import { useId, useRef, useState } from "react";
import type { SubmitEvent } from "react";

import { verifyPath } from "#app/services/auth/return-to.ts";
import { PasswordField } from "#app/features/account/sign-in/password-field.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Modal, ModalFooter, ModalHeader, modalPadding } from "#app/ui/components/modal.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { parseJsonObject, submitInPlace } from "#app/ui/forms/submit-in-place.ts";

/** The response to a sign-in from the dialog. */
export type SignInHereResult =
  | { kind: "signed-in" }
  /** /auth/verify asks for the second factor. */
  | { kind: "second-factor" }
  | { kind: "refused"; problem: string };

const signInHerePath = "/auth/here";

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
  const [problem, setProblem] = useState<string>();
  /** Another tab asks for the second factor; its sign-in closes this dialog. */
  const [isWaiting, setWaiting] = useState(false);
  const [isBusy, setBusy] = useState(false);

  const signIn = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const password = new FormData(event.currentTarget).get("password");
    setBusy(true);
    const body = new URLSearchParams({ email, password: typeof password === "string" ? password : "" });
    const result = readResult((await submitInPlace(signInHerePath, body)).text);
    setBusy(false);
    if (result.kind === "signed-in") return onSignedIn();
    if (result.kind === "second-factor") return setWaiting(true);
    setProblem(result.problem);
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
        You’ve been signed out of {email}. What you typed is still here.
      </p>
      {isWaiting ? (
        <SecondStep onClose={onClose} />
      ) : (
        <form noValidate onSubmit={(event) => void signIn(event)} className="mt-5 grid gap-3">
          <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordField error={problem} isFirstProblem={false} />
          <a
            href="/auth"
            target="_blank"
            className="inline-flex min-h-11 items-center justify-self-start text-sm text-muted underline hover:text-text"
          >
            Sign in another way in a new tab
          </a>
          <ModalFooter>
            <Button onClick={onClose}>Not now</Button>
            <Button variant="main" type="submit" aria-disabled={isBusy}>
              {isBusy ? "Signing in..." : isSaving ? "Sign in and save" : "Sign in"}
            </Button>
          </ModalFooter>
        </form>
      )}
    </Modal>
  );
}

/** The password was right, and the account has two-step verification. */
function SecondStep({ onClose }: { onClose: () => void }) {
  return (
    <div className="mt-5 grid gap-3">
      <Notice title="One more step">Finish signing in with your second step in a new tab. Then come back here.</Notice>
      <ModalFooter>
        <Button onClick={onClose}>Not now</Button>
        {/* The button that had the focus is gone. */}
        <ButtonLink ref={(link) => link?.focus()} variant="main" href={verifyPath(undefined)} target="_blank">
          Continue in a new tab
        </ButtonLink>
      </ModalFooter>
    </div>
  );
}

function readResult(text: string): SignInHereResult {
  const result = parseJsonObject(text);
  const kind = result && "kind" in result ? result.kind : undefined;
  if (kind === "signed-in") return { kind };
  if (kind === "second-factor") return { kind };
  const problem = result && "problem" in result && typeof result.problem === "string" ? result.problem : "";
  return { kind: "refused", problem: problem || "Couldn’t sign you in. Check your connection and try again." };
}

import { lazy, Suspense, useEffect, useRef, useState } from "react";

import { hasUnsavedInput } from "#app/features/shell/frame/page-status.tsx";
import { sessionChannel, signedInEvent, signedOutEvent } from "#app/ui/forms/submit-in-place.ts";

// Most pages never need it.
const SignInDialog = lazy(() => import("./sign-in-dialog.tsx"));

/**
 * Follows the session across the tabs of a browser: signing out in one leads the others to the sign-in page, unless something typed
 * would be lost. Then, and when a save is refused because the session has ended, a dialog signs in on the page.
 */
export function SessionStatus({ id, email }: { id: string; email: string }) {
  const [dialog, setDialog] = useState<"save" | "wait">();
  const channel = useRef<BroadcastChannel>(null);

  // Only the browser passes messages between tabs.
  useEffect(() => {
    const tabs = new BroadcastChannel(sessionChannel);
    channel.current = tabs;
    // Only windows have an origin to check: a channel is for one.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    tabs.postMessage(id);
    tabs.addEventListener("message", ({ data }) => {
      // The browser is in a visitor's hands: what was typed waits unseen until its owner is back.
      document.documentElement.hidden = data === null && hasUnsavedInput();
      if (data === id) {
        setDialog(undefined);
        repeatRefusedSave();
      } else if (!hasUnsavedInput()) location.assign(data === "" ? "/auth/sign-out" : "/home");
      else if (data === "") setDialog("wait");
    });
    const onRefusedSave = () => setDialog("save");
    window.addEventListener(signedOutEvent, onRefusedSave);
    return () => {
      tabs.close();
      window.removeEventListener(signedOutEvent, onRefusedSave);
    };
  }, [id]);

  const resume = () => {
    setDialog(undefined);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
    channel.current?.postMessage(id);
    repeatRefusedSave();
  };
  if (!dialog) return null;
  return (
    <Suspense>
      <SignInDialog
        email={email}
        isSaving={dialog === "save"}
        onSignedIn={resume}
        onClose={() => setDialog(undefined)}
      />
    </Suspense>
  );
}

function repeatRefusedSave() {
  window.dispatchEvent(new Event(signedInEvent));
}

import { useState } from "react";

import type { ToastWords } from "#app/ui/toast.tsx";

/** The last thing to say: what the server's `answer` says when it comes, then whatever the page itself sets. */
export function useLatestToast(answer: ToastWords | undefined) {
  const [last, setLast] = useState(answer);
  const [toast, setToast] = useState(answer);
  if (answer !== last) {
    setLast(answer);
    if (answer) setToast(answer);
  }
  return [toast, setToast] as const;
}

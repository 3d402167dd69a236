import { PassButton } from "#app/features/wallet/public/pass-button.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import type { ToastContent } from "#app/ui/components/toast.tsx";

import type { PassEditorPage } from "./design-data.server.ts";
import { messages } from "./messages.ts";

type SetupNoticeProps = { pass: PassEditorPage; notify: (toast: ToastContent) => void };

/** Where no passes can be made: what the pass is made of, as a file, and for operators the way to the settings. */
export function SetupNotice({ pass: { cardId, path, isOperator }, notify }: SetupNoticeProps) {
  return (
    <Notice
      title={messages.notConfigured}
      action={
        (path !== undefined || isOperator) && (
          <>
            {isOperator && (
              <ButtonLink size="s" variant="main" href="/admin/setup">
                Open the setup page
              </ButtonLink>
            )}
            {path !== undefined && (
              <PassButton cardId={cardId} href={`/cards/${cardId}/pass.json`} notify={notify}>
                Download pass definition
              </PassButton>
            )}
          </>
        )
      }
    >
      {messages.designNow} {isOperator ? messages.setUp : path !== undefined && messages.definition}
    </Notice>
  );
}

/** Instead of the editor, when its data couldn't be loaded. */
export function PassProblem({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <Notice
      tone="error"
      title={messages.notLoaded}
      action={
        <Button size="s" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {text}
    </Notice>
  );
}

import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";

import { ConflictNotice } from "./conflict-notice.tsx";
import type { Edit, Editing, SaveAnswer } from "./editing.ts";

/** Why the last save did not succeed, above the form that still holds everything. */
export function AnswerNotice({ answer, ...conflict }: AnswerNoticeProps) {
  const { other } = conflict.editing;
  if (other) return <ConflictNotice {...conflict} other={other} />;
  if (!answer || answer.other || conflict.isSaving) return null;
  const signIn = answer.isSignedOut && (
    <ButtonLink size="s" href="/auth" target="_blank">
      Sign in
    </ButtonLink>
  );
  return (
    <Notice tone="error" title={answer.notice.title} action={signIn}>
      {answer.notice.text}
    </Notice>
  );
}

type AnswerNoticeProps = {
  answer: SaveAnswer | undefined;
  editing: Editing;
  dispatch: (edit: Edit) => void;
  formId: string;
  isSaving: boolean;
};

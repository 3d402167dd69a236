import { Panel } from "#app/ui/components/panel.tsx";

type RepliesPanelProps = {
  /** Newest first. */
  replies: readonly { id: string; subject: string; text: string; time: string }[];
  /** When the visitor shared their details. */
  sharedTime: string;
};

/** What happened since a lead came in. */
export function RepliesPanel({ replies, sharedTime }: RepliesPanelProps) {
  return (
    <Panel title="Timeline">
      <ol className="grid gap-4">
        {replies.map(({ id, subject, text, time }) => (
          <li key={id}>
            <details>
              <summary className="-my-2 min-h-11 cursor-pointer py-2 wrap-anywhere">
                Replied on {time}: <bdi>{subject}</bdi>
              </summary>
              <p
                dir="auto"
                className="mt-2 border-s-2 border-line-strong ps-3 text-sm whitespace-pre-line wrap-anywhere"
              >
                {text}
              </p>
            </details>
          </li>
        ))}
        <li className="text-muted">Shared on {sharedTime}</li>
      </ol>
    </Panel>
  );
}

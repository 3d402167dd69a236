import { Form } from "react-router";

import { Notice } from "#app/ui/components/notice.tsx";
import { ConfirmedNotice } from "#app/ui/forms/confirmed-notice.tsx";
import { HourField } from "#app/features/lead-notices/hour-field.tsx";
import type { NoticeTiming } from "#app/features/lead-notices/rules.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import type { ChatResult } from "./chat-action.server.ts";

type ChatPanelProps = {
  /** Undefined without a chat. */
  chat:
    | { timing: NoticeTiming; hour: number; shownAddress: string | undefined; state: string; error: string | undefined }
    | undefined;
  timeZone: string;
  result: ChatResult["chat"] | undefined;
  /** The owner comes back from the proof that another address asks for; `result` has what was typed. */
  isConfirmed: boolean;
  isBusy: boolean;
};

/** The chat that is notified of leads. */
export function ChatPanel({ chat, timeZone, result, isConfirmed, isBusy }: ChatPanelProps) {
  return (
    <Panel title="Slack or another chat" id="chat">
      <div className="grid gap-5">
        <div className="grid gap-1 text-sm text-muted">
          <p>
            A message for each lead in Slack, Mattermost, Rocket.Chat or Discord. For Discord, add “/slack” to the end
            of the address.
          </p>
          <details>
            <summary className="inline-flex min-h-11 cursor-pointer items-center underline underline-offset-4 hover:text-text">
              What gets shared
            </summary>
            <p>
              Everyone in the channel sees the details. Your forms then say that details also go to colleagues and
              services; for a lead whose visitor agreed to an earlier text, the message has only a link.
            </p>
          </details>
        </div>
        {chat?.shownAddress !== undefined && <Present {...chat} shownAddress={chat.shownAddress} />}
        {chat && chat.shownAddress === undefined && <Unreadable />}
        {result?.test && (
          <Notice tone={result.test.isAccepted ? "success" : "error"} title="Test message">
            <span className="wrap-anywhere">{result.test.text}</span>
          </Notice>
        )}
        {isConfirmed && <ConfirmedNotice button={saveLabel(chat)} />}
        <ChatForm
          key={`${chat?.shownAddress} ${chat?.timing} ${chat?.hour}`}
          chat={chat}
          timeZone={timeZone}
          result={result}
          isBusy={isBusy}
        />
      </div>
    </Panel>
  );
}

const saveLabel = (chat: ChatPanelProps["chat"]) => (chat ? "Save chat" : "Add chat");

function ChatForm({ chat, timeZone, result, isBusy }: Omit<ChatPanelProps, "isConfirmed">) {
  const typed = result?.typed;
  const hasAddress = chat?.shownAddress !== undefined;
  return (
    <Form method="post" preventScrollReset noValidate className="group/chat grid gap-5">
      <Field
        label={hasAddress ? "Another address" : "Address of the incoming webhook"}
        type="url"
        name="url"
        autoComplete="off"
        spellCheck={false}
        defaultValue={typed?.url}
        hint={
          hasAddress
            ? "Leave it empty to keep the current one."
            : "Anyone who has it can write to your channel, so it is stored encrypted and not shown again."
        }
        {...(result?.error && { error: result.error })}
      />
      <ChoiceField
        label="Messages"
        name="timing"
        options={timingOptions}
        value={typed?.timing ?? chat?.timing ?? "now"}
      />
      <div className="hidden group-has-[[value=daily]:checked]/chat:block">
        <HourField id="chat-hour" hour={typed?.hour ?? chat?.hour ?? 8} timeZone={timeZone} />
      </div>
      <div className="flex flex-wrap gap-2.5 max-sm:*:grow">
        <Button type="submit" size="s" name="intent" value="save-chat" aria-disabled={isBusy}>
          {saveLabel(chat)}
        </Button>
        {hasAddress && (
          <Button type="submit" size="s" name="intent" value="test-chat" aria-disabled={isBusy}>
            Send a test message
          </Button>
        )}
        {chat && (
          <Button type="submit" size="s" variant="danger" name="intent" value="remove-chat" aria-disabled={isBusy}>
            Remove chat
          </Button>
        )}
      </div>
    </Form>
  );
}

function Present({ shownAddress, state, error }: { shownAddress: string; state: string; error: string | undefined }) {
  return (
    <div className="grid gap-0.5 border-y border-line py-3">
      <p className="font-medium wrap-anywhere">{shownAddress}</p>
      <p className="text-sm text-muted">{state}</p>
      {error && <p className="text-sm text-error wrap-anywhere">{error}</p>}
    </div>
  );
}

function Unreadable() {
  return (
    <Notice tone="error" title="This chat gets no messages anymore">
      Its address can’t be read anymore, because the installation’s secret has changed. Enter it again, or remove the
      chat.
    </Notice>
  );
}

const timingOptions = [
  { id: "now", label: "Right away" },
  { id: "daily", label: "Once a day" },
] as const;

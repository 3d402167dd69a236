import { LinkIcon } from "#app/features/links/link-row.tsx";
import { messages } from "#app/features/links/messages.ts";
import { NetworkChoice } from "#app/features/links/network-choice.tsx";
import { addressKind, shortAddress } from "#app/features/links/rules.ts";
import { scheduleStatus } from "#app/features/links/schedule.ts";
import { findMedium, findSite, findUserName } from "#app/features/links/site-data.ts";
import type { ProfileFiles } from "#app/features/profile/files/profile-files.ts";
import { toSchedule } from "#app/features/profile/editor/form-data.ts";
import type { LinkDraft } from "#app/features/profile/editor/form-data.ts";
import { Button, IconButton } from "#app/ui/components/button.tsx";
import { useIsHydrated } from "#app/ui/components/hydration.ts";
import { Chevron, Icon } from "#app/ui/components/icon.tsx";
import { LazyPart } from "#app/ui/components/loading.tsx";
import { RowHandle } from "#app/ui/components/row-handle.tsx";
import { Switch } from "#app/ui/forms/checkbox-field.tsx";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";
import { useAfterPointerUp } from "#app/ui/forms/field-focus.ts";

import { linkTitle } from "#app/features/profile/editor/form-state.ts";
import { CampaignSection } from "./campaign-section.tsx";
import { LinkTextField } from "./link-text-field.tsx";
import { LinkSchedule } from "./link-schedule.tsx";
import type { LinkScheduleProps } from "./link-schedule.tsx";
import { LinkTabField } from "./link-tab-field.tsx";

/** One link as a row with a drag handle, its title and its switch. The fields open below. */
export function LinkItem({ onRemove, canMove, now, clicks, ...row }: LinkItemProps) {
  const { link, index, state, dispatch, isFixed } = row;
  const { key } = link;
  const name = linkTitle(link);
  const moveTo = (to: number) => !isFixed && dispatch({ kind: "move", key, to });
  return (
    <li className={rowClass} data-key={key}>
      <input type="hidden" name={`links.${index}.id`} value={link.id} />
      <RowHandle {...{ name, index, isFixed }} onMove={moveTo} />
      <details
        className="group"
        open={state.openKeys.includes(key)}
        onToggle={(event) => dispatch({ kind: "open", key, isOpen: event.currentTarget.open })}
      >
        <LinkSummary link={link} next={state.draft.links[index + 1]} now={now} clicks={clicks} />
        <LinkFields {...row} canMove={canMove} onMove={moveTo} />
      </details>
      <div className="absolute -end-3 top-2 flex items-center gap-1 noscript:end-0">
        <Switch
          label={`Show ${name}`}
          isLabelHidden
          name={`links.${index}.on`}
          checked={link.on}
          onChange={(event) => dispatch({ kind: "link", key, change: { on: event.currentTarget.checked } })}
        />
        <IconButton label={`Remove ${name}`} className="noscript:hidden" onClick={onRemove} disabled={isFixed}>
          <Icon name="close" size={18} />
        </IconButton>
      </div>
    </li>
  );
}

type LinkItemProps = LinkRowProps & {
  onRemove: () => void;
  /** Whether the plan allows moving links to the other tab. */
  canMove: boolean;
  /** The server's time in epoch milliseconds. */
  now: number;
  /** "12 clicks in 30 days". */
  clicks: string | undefined;
};

/** The icon that visitors see. Another icon is another element, because only new elements load their drawing. */
function SummaryIcon({ link: { kind, url } }: { link: LinkDraft }) {
  if (kind === "heading" || url.trim() === "") return null;
  return (
    <span className="shrink-0 text-muted max-[22rem]:hidden">
      <LinkIcon key={findSite(url)?.icon ?? addressKind(url)} url={url} />
    </span>
  );
}

function LinkSummary({ link, next, now, clicks }: LinkSummaryProps) {
  const isLonely = next === undefined || next.kind === "heading";
  return (
    <summary className={summaryClass}>
      <SummaryIcon link={link} />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <b className={`max-w-full truncate font-semibold ${link.on ? "" : "text-muted"}`} dir="auto">
          {linkTitle(link)}
        </b>
        {link.kind === "heading" ? (
          <span className="text-sm text-muted">{isLonely ? messages.headingNotShown : "Heading"}</span>
        ) : (
          <span className="max-w-full truncate text-sm text-muted" dir="ltr">
            {link.label.trim() !== "" && shortAddress(link.url)}
          </span>
        )}
        {clicks && <span className="w-full text-sm text-muted">{clicks}</span>}
        <ScheduleStatus link={link} now={now} />
      </span>
      <Chevron className="mt-3.5 self-start transition-transform group-open:rotate-180 max-[22rem]:hidden motion-reduce:transition-none" />
    </summary>
  );
}

type LinkSummaryProps = { link: LinkDraft; next: LinkDraft | undefined; now: number; clicks: string | undefined };

/** The schedule's effect; nothing for a link that is off or has no schedule. */
function ScheduleStatus({ link, now }: { link: LinkDraft; now: number }) {
  const isHydrated = useIsHydrated();
  const [status, time] = scheduleStatus(toSchedule(link), now, isHydrated);
  if (!link.on || !(status || time)) return null;
  return (
    <span className="w-full text-sm text-muted">
      {status && <b className="font-medium text-text">{status}</b>} {time}
    </span>
  );
}

const rowClass =
  "relative bg-raised group-data-dragging/links:transition-transform motion-reduce:transition-none! data-dragged:z-10 " +
  "data-dragged:rounded-control data-dragged:shadow-card data-dragged:transition-none!";
const summaryClass =
  "flex min-h-15 list-none items-center gap-2 py-2 ps-9 pe-23 noscript:ps-0 noscript:pe-12 [&::-webkit-details-marker]:hidden";

/** What one entry consists of, and buttons that move it as dragging does. */
function LinkFields({ canMove, onMove, ...row }: LinkFieldsProps) {
  const { link, index, state, isFixed } = row;
  const isLast = index === state.draft.links.length - 1;
  return (
    <div className="grid gap-4 pb-5 sm:ps-9 noscript:ps-0">
      {link.kind === "heading" ? <HeadingFields {...row} /> : <AddressFields {...row} canMove={canMove} />}
      <LinkSchedule {...row} />
      <div className="flex gap-2.5 noscript:hidden">
        {/* Not `disabled`, which would lose the focus when the link reaches the end. */}
        <Button size="s" aria-disabled={isFixed || index === 0} onClick={() => onMove(index - 1)}>
          Move up
        </Button>
        <Button size="s" aria-disabled={isFixed || isLast} onClick={() => onMove(index + 1)}>
          Move down
        </Button>
      </div>
    </div>
  );
}

/** The text of a heading. A URL that it had as a link is sent along and not saved. */
function HeadingFields(row: LinkRowProps) {
  return (
    <>
      <input type="hidden" name={`links.${row.index}.kind`} value="heading" />
      <LinkTextField row={row} field="label" label="Heading" hint={messages.headingHint} placeholder="Talks" />
    </>
  );
}

/** A link's URL, name, appearance and tab. */
function AddressFields({ canMove, ...row }: LinkRowProps & { canMove: boolean }) {
  return (
    <>
      <UrlField {...row} />
      <LinkTextField row={row} field="label" placeholder="Portfolio" />
      <LinkKindField {...row} />
      <LinkTabField {...row} canMove={canMove} />
      <CampaignSection {...row} />
    </>
  );
}

/** The URL. If a username was typed instead, asks for its network. */
function UrlField(row: LinkRowProps) {
  const { link, state, dispatch } = row;
  const { key } = link;
  const afterPointerUp = useAfterPointerUp();
  const id = `${key}-url`;
  const userName = state.errors[`${key}.url`] && findUserName(link.url);
  const choose = (url: string) => {
    // The button that was pressed disappears.
    document.getElementById(id)?.focus();
    dispatch({ kind: "link", key, change: { url } });
  };
  return (
    <>
      <LinkTextField
        row={row}
        field="url"
        id={id}
        inputMode="url"
        onBlur={() => afterPointerUp(() => dispatch({ kind: "leave-url", key }))}
        placeholder="https://"
        dir="ltr"
        autoCapitalize="none"
        spellCheck={false}
      />
      {userName && <NetworkChoice userName={userName} onChoose={choose} />}
    </>
  );
}

/** How the link is shown: as a row, with an image, or as a card for videos, music and maps. */
function LinkKindField(row: LinkRowProps) {
  const { link, index, state, dispatch, files } = row;
  const { key, kind, picture, alt } = link;
  const name = `links.${index}`;
  const medium = findMedium(link.url);
  const shown = kind === "media" && !medium ? "link" : kind;
  const hidden = (["picture", "alt"] as const).map((field) => (
    <input key={field} type="hidden" name={`${name}.${field}`} value={link[field]} />
  ));
  const change = (part: Partial<Pick<LinkDraft, "kind" | "picture">>) => dispatch({ kind: "link", key, change: part });
  return (
    <>
      <ChoiceField
        label="Show as"
        name={`${name}.kind`}
        value={shown}
        onChoose={(chosen) => change({ kind: chosen })}
        options={[
          { id: "link", label: "Link" },
          ...(medium ? [{ id: "media", label: medium.cardName } as const] : []),
          { id: "featured", label: "Featured with image" },
        ]}
        hint={shown === "media" && medium ? messages.mediaHint(medium.label) : undefined}
      />
      {kind === "featured" ? (
        <LazyPart load={loadImageField} fallback={hidden}>
          {({ LinkImageField }) => (
            <LinkImageField {...{ picture, alt, name, files }} error={state.errors[`${key}.picture`]} onChange={change}>
              <LinkTextField row={row} field="alt" hint={messages.altHint} />
            </LinkImageField>
          )}
        </LazyPart>
      ) : (
        hidden
      )}
    </>
  );
}

const loadImageField = () => import("#app/features/profile/files/link-image-field.tsx");

type LinkRowProps = LinkScheduleProps & {
  files: ProfileFiles;
  /** A save is running: rows don't move. */
  isFixed: boolean;
};

type LinkFieldsProps = LinkRowProps & { canMove: boolean; onMove: (to: number) => void };

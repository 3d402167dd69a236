import { useRef, useState } from "react";
import { flushSync } from "react-dom";

import { copy } from "#app/features/sharing/copy-button.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";

/** The link back to the public page, and its address to copy. */
export function EditorHeader({ profileUrl }: { profileUrl: string }) {
  return (
    <header>
      <ButtonLink variant="plain" size="s" href={new URL(profileUrl).pathname} className="-ms-3">
        <span aria-hidden="true">←</span> Back
      </ButtonLink>
      <h1 className="heading mt-4 mb-1 text-xl">Your profile</h1>
      <ProfileAddress url={profileUrl} />
    </header>
  );
}

export type EditorTab = "edit" | "preview";

/** The ids of the tab panels. */
export const panelIds = { edit: "profile-form", preview: "profile-preview" };

/** The saved address; a typed handle counts after the next save. */
function ProfileAddress({ url }: { url: string }) {
  const [announcement, setAnnouncement] = useState("");
  const copyUrl = async () => {
    const isCopied = await copy({ text: url });
    setAnnouncement(isCopied ? "Link copied" : "Copying failed: select the address.");
    setTimeout(() => setAnnouncement(""), 5_000);
  };
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 basis-60 text-muted">
        <bdi className="select-all wrap-anywhere">{url.replace(/^https?:\/\//, "")}</bdi>
      </p>
      <div className="flex flex-wrap items-center gap-2.5">
        <Button size="s" className="noscript:hidden" onClick={() => void copyUrl()}>
          <Icon name="copy" />
          Copy link
        </Button>
        <ButtonLink size="s" href="/share/profile">
          <Icon name="share" />
          Share
        </ButtonLink>
        <output className="text-sm text-muted empty:-ms-2.5">{announcement}</output>
      </div>
    </div>
  );
}

type EditorTabsProps = { selected: EditorTab; onShow: (tab: EditorTab) => void };

/**
 * On a narrow screen: the form or the preview. It sticks to the upper edge, and the form keeps its scroll position. Follows the tabs
 * pattern of WAI-ARIA: one tab stop, and arrow keys open the other tab.
 */
export function EditorTabs({ selected, onShow }: EditorTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const formScroll = useRef(0);
  const show = (tab: EditorTab) => {
    if (tab === selected) return;
    const top = list.current?.previousElementSibling?.getBoundingClientRect().bottom ?? 0;
    const start = Math.min(window.scrollY, window.scrollY + top);
    if (tab === "preview") formScroll.current = window.scrollY;
    flushSync(() => onShow(tab));
    window.scrollTo({ top: tab === "preview" ? start : formScroll.current });
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
    event.preventDefault();
    const first = event.key === "Home" || (event.key !== "End" && selected === "preview");
    show(first ? "edit" : "preview");
    list.current?.querySelectorAll("button")[first ? 0 : 1]?.focus({ preventScroll: true });
  };
  return (
    <div ref={list} className="sticky top-0 z-20 -mx-5 bg-ground px-5 py-2 lg:hidden noscript:hidden">
      {/* The selected tab is the focusable element. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div role="tablist" aria-label="Your profile" className={tabListClass} onKeyDown={onKeyDown}>
        {(["edit", "preview"] as const).map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${panelIds[tab]}-tab`}
            aria-controls={panelIds[tab]}
            aria-selected={selected === tab}
            tabIndex={selected === tab ? 0 : -1}
            className={tabClass}
            onClick={() => show(tab)}
          >
            {tab === "edit" ? "Edit" : "Preview"}
          </button>
        ))}
      </div>
    </div>
  );
}

const tabListClass = "grid grid-cols-2 gap-1 rounded-[14px] bg-higher p-1";
const tabClass =
  "min-h-11 rounded-[10px] border border-transparent text-sm font-semibold text-muted hover:text-text aria-selected:bg-picked " +
  "aria-selected:text-text aria-selected:shadow-[0_1px_3px_#0003] forced-colors:aria-selected:border-[Highlight]";

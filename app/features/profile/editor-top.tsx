import { useRef, useState } from "react";
import { flushSync } from "react-dom";

import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";

/** The way back, and the address to give away. */
export function EditorTop({ ownId, profileUrl }: { ownId: string; profileUrl: string }) {
  return (
    <header>
      <ButtonLink variant="plain" size="s" href={`/u/${ownId}`} className="-ms-3">
        <span aria-hidden="true">←</span> Back
      </ButtonLink>
      <h1 className="heading mt-4 mb-1 text-xl">Your profile</h1>
      <OwnAddress url={profileUrl} />
    </header>
  );
}

export type EditorTab = "edit" | "preview";

/** What a tab shows has this id. */
export const panelOf = { edit: "profile-form", preview: "profile-preview" };

/** As it is stored: what is typed into Handle counts from the next save on. */
function OwnAddress({ url }: { url: string }) {
  const [news, setNews] = useState("");
  const copyUrl = async () => {
    // What copies is loaded by the first press: most visits to this page never do.
    const isCopied = await import("#app/features/sharing/share-clipboard.ts").then(
      ({ copy }) => copy({ text: url }),
      () => false,
    );
    setNews(isCopied ? "Link copied" : "Copying failed: select the address.");
    setTimeout(() => setNews(""), 5_000);
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
        <output className="text-sm text-muted empty:-ms-2.5">{news}</output>
      </div>
    </div>
  );
}

type TabsProps = { shown: EditorTab; onShow: (tab: EditorTab) => void };

/**
 * On a narrow screen: the form, or what visitors see. It stays at the upper edge, and whoever comes back to the form finds it where
 * they left. WAI-ARIA's tabs: one stop for the Tab key, arrows go to the other one and open it.
 */
export function EditorTabs({ shown, onShow }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const left = useRef(0);
  const show = (tab: EditorTab) => {
    if (tab === shown) return;
    const top = list.current?.previousElementSibling?.getBoundingClientRect().bottom ?? 0;
    const start = Math.min(window.scrollY, window.scrollY + top);
    if (tab === "preview") left.current = window.scrollY;
    flushSync(() => onShow(tab));
    window.scrollTo({ top: tab === "preview" ? start : left.current });
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
    event.preventDefault();
    const first = event.key === "Home" || (event.key !== "End" && shown === "preview");
    show(first ? "edit" : "preview");
    list.current?.querySelectorAll("button")[first ? 0 : 1]?.focus({ preventScroll: true });
  };
  return (
    <div ref={list} className="sticky top-0 z-20 -mx-5 bg-ground px-5 py-2 lg:hidden noscript:hidden">
      {/* The tab that is open has the focus for the whole list. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div role="tablist" aria-label="Your profile" className={tabList} onKeyDown={onKeyDown}>
        {(["edit", "preview"] as const).map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${panelOf[tab]}-tab`}
            aria-controls={panelOf[tab]}
            aria-selected={shown === tab}
            tabIndex={shown === tab ? 0 : -1}
            className={tabLook}
            onClick={() => show(tab)}
          >
            {tab === "edit" ? "Edit" : "Preview"}
          </button>
        ))}
      </div>
    </div>
  );
}

const tabList = "grid grid-cols-2 gap-1 rounded-[14px] bg-higher p-1";
const tabLook =
  "min-h-11 rounded-[10px] border border-transparent text-sm font-semibold text-muted hover:text-text aria-selected:bg-picked " +
  "aria-selected:text-text aria-selected:shadow-[0_1px_3px_#0003] forced-colors:aria-selected:border-[Highlight]";

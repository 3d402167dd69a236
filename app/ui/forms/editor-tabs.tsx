import { useRef, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

export type EditorTab = "edit" | "preview";

/** The ids of the two panels. */
export type PanelIds = Record<EditorTab, string>;

/** The attributes of a panel. On a wide screen the form and the preview are side by side, and not tabs. */
export function panelProps(panelIds: PanelIds, tab: EditorTab, isWide: boolean) {
  const id = panelIds[tab];
  if (isWide) return tab === "preview" ? ({ id, role: "complementary", "aria-label": "Preview" } as const) : { id };
  return { id, role: "tabpanel", "aria-labelledby": `${id}-tab` } as const;
}

type EditorTabsProps = {
  /** The name of what is edited, for screen readers. */
  label: string;
  panelIds: PanelIds;
  selected: EditorTab;
  onShow: (tab: EditorTab) => void;
};

/**
 * On a narrow screen: the form or the preview. It sticks to the upper edge, and the form keeps its scroll position. Follows the tabs
 * pattern of WAI-ARIA: one tab stop, and arrow keys open the other tab.
 */
export function EditorTabs({ label, panelIds, selected, onShow }: EditorTabsProps) {
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
      <div role="tablist" aria-label={label} className={tabListClass} onKeyDown={onKeyDown}>
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

/** Whether the window is wide enough for the preview beside the form; false on the server. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribeToWidth, isWide, () => false);
}

const wideQuery = "(min-width: 64rem)";

function isWide(): boolean {
  return window.matchMedia(wideQuery).matches;
}

function subscribeToWidth(onChange: () => void) {
  const list = window.matchMedia(wideQuery);
  list.addEventListener("change", onChange);
  return () => list.removeEventListener("change", onChange);
}

import type { ReactNode } from "react";

/** A phone around a screen of 390 points; beside the form drawn at four fifths, and never taller than the window. */
export function PhoneFrame({ children, onClickCapture }: PhoneFrameProps) {
  return (
    // Not a control: it hears what is clicked inside it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className={bezel} onClickCapture={onClickCapture}>
      <div className={screen}>{children}</div>
    </div>
  );
}

type PhoneFrameProps = { children?: ReactNode; onClickCapture?: (event: React.MouseEvent) => void };

const bezel =
  "mx-auto w-full max-w-105 rounded-[44px] border border-line-strong bg-black p-2.5 shadow-card sm:p-3.5 lg:w-fit lg:rounded-[52px]";
const screen =
  "h-[min(44rem,calc(100dvh-9rem))] overflow-hidden rounded-[34px] bg-ground sm:rounded-[30px] lg:h-[min(658px,calc(100dvh-14.5rem))] lg:w-[304px] lg:rounded-[38px]";

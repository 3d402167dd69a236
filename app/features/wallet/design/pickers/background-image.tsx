import { useState } from "react";

/** An image of a picker; an empty area when it can't be loaded, which `onError` reports. Decorative: its name is beside it. */
export function PickerImage({ url, onError, className, ...size }: PickerImageProps) {
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) return <span aria-hidden="true" className={`block bg-higher ${className}`} />;
  const fail = () => {
    setIsBroken(true);
    onError?.();
  };
  return <img {...size} src={url} alt="" loading="lazy" className={className} onError={fail} />;
}

type PickerImageProps = {
  url: string;
  className: string;
  width?: number;
  height?: number;
  onError?: (() => void) | undefined;
};

/** A thumbnail; without an image the card's colors. */
export function BackgroundTile({ url, className, onError }: BackgroundTileProps) {
  const tileClass = `${className} aspect-[9/11] shrink-0 rounded-[10px] border border-line-strong object-cover`;
  if (url === undefined)
    return (
      <span
        className={`${tileClass} grid place-items-center bg-linear-to-b from-paper to-paper-edge`}
        aria-hidden="true"
      >
        <svg viewBox="0 0 48 32" width="50%" className="text-ink">
          <rect x=".75" y=".75" width="46.5" height="30.5" rx="3" fill="none" stroke="currentColor" strokeWidth="1.5" />
          <path d="M7 12h18M7 18h12" stroke="currentColor" strokeWidth="2" />
        </svg>
      </span>
    );
  return <PickerImage key={url} url={url} width={180} height={220} className={tileClass} onError={onError} />;
}

type BackgroundTileProps = { url: string | undefined; className: string; onError?: (() => void) | undefined };

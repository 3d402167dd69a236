import { Icon } from "#app/ui/icon.tsx";
import { Seal } from "#app/ui/seal.tsx";

/** The card meets the phone: the same sample person on both. A picture made of text, and read out as one. */
export function HeroPicture() {
  return (
    <figure className="relative mx-auto h-[560px] w-full max-w-[350px] self-center sm:max-w-[590px] sm:h-[640px]">
      <figcaption className="sr-only">
        Sample: the business card and the profile page of Demo User, a product designer.
      </figcaption>
      <div aria-hidden="true">
        <Phone />
        <div className="absolute bottom-0 left-0 w-[86%] max-w-[300px] sm:-bottom-6 sm:w-[440px] sm:max-w-none">
          <Tap />
          <PaperCard />
        </div>
      </div>
    </figure>
  );
}

function Phone() {
  return (
    <div className="absolute top-0 right-0 h-[500px] w-[238px] rounded-[46px] border border-[#33363e] bg-black p-3 shadow-[0_30px_80px_-20px_var(--color-shade)] sm:h-[640px] sm:w-[306px] sm:rounded-[56px] sm:p-3.5">
      <div className="h-full overflow-hidden rounded-[34px] bg-[#f7f4ed] text-ink sm:rounded-[42px]">
        <div className="h-23 bg-[linear-gradient(120deg,#223149,#5a3b3a_55%,#cf6a4a)] sm:h-30" />
        <div className="px-5">
          <div className="heading -mt-9 -ml-1 grid size-18 place-items-center rounded-full border-4 border-[#f7f4ed] bg-[#d9d2c3] text-lg text-[#3c3a35] sm:-mt-11 sm:size-20 sm:text-[1.5rem]">
            DU
          </div>
          <p className="heading mt-2 text-[1.5rem] leading-9 sm:text-xl">Demo User</p>
          <p className="text-xs leading-5 text-ink-soft sm:text-sm">
            Product designer. I make small things that people keep using.
          </p>
          <div className="mt-4 grid grid-cols-2 rounded-[10px] bg-[#ebe6da] p-0.5 text-center text-[0.6875rem] leading-8 font-semibold sm:leading-9 sm:text-xs">
            <span className="rounded-sm bg-white shadow-[0_1px_2px_#0002]">Professional 3</span>
            <span className="text-ink-soft">Personal 2</span>
          </div>
          <div className="mt-2.5 grid gap-2">
            {["LinkedIn", "GitHub", "Portfolio"].map((label) => (
              <div
                key={label}
                className="flex h-10 items-center justify-between rounded-[10px] border border-paper-line bg-white px-3.5 text-xs font-semibold sm:h-12 sm:text-sm"
              >
                {label}
                <span className="text-[#8d897f]">
                  <Icon name="arrow-up-right" size={16} />
                </span>
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

function PaperCard() {
  return (
    <div className="flex aspect-[91/55] -rotate-[7deg] flex-col rounded-[14px] bg-[linear-gradient(150deg,var(--color-paper),var(--color-paper-edge))] p-5.5 text-ink shadow-[0_24px_60px_-18px_var(--color-shade)] sm:rounded-card sm:p-8">
      <div className="flex items-start justify-between">
        <span className="eyebrow text-[0.625rem] text-ink-soft sm:text-xs">Example Studio</span>
        <Seal size={30} />
      </div>
      <p className="heading mt-auto text-xl sm:text-[2.75rem] sm:leading-[1.15]">Demo User</p>
      <p className="text-xs text-ink-soft sm:text-base">Product designer</p>
      <div className="mt-3 flex justify-between gap-3 border-t border-paper-line pt-3 text-xs text-ink-soft sm:text-sm">
        <span>demo@example.com</span>
        <span>+1 555 0100</span>
      </div>
    </div>
  );
}

/** Where card and phone touch: a ring that opens once. */
function Tap() {
  return (
    <div className="absolute -top-1.5 right-44 z-10 grid size-5 place-items-center max-[380px]:right-30 sm:-top-5 sm:right-[146px]">
      <span className="size-4 rounded-full bg-[#ff5a3c] sm:size-5" />
      <span className={`${ring} size-12 sm:size-16`} />
      <span className={`${ring} size-26 opacity-50 [animation-delay:120ms] max-sm:hidden`} />
    </div>
  );
}

const ring = "absolute rounded-full border border-[#ff5a3c] animate-open motion-reduce:animate-none";

/** The part of the documentation for owners. It describes what the product does today. */
export function UserGuide() {
  return (
    <>
      <p>
        The first part is for people who share a card. <a href="#developers">The second part</a> is for developers.
      </p>
      <ShareGuide />
      <LinksGuide />
      <TagGuide />
      <PrintGuide />
      <SignatureGuide />
      <SaveContactGuide />
      <WalletGuide />
      <LeadsGuide />
      <FairGuide />
      <StatisticsGuide />
    </>
  );
}

/** In page order, like the sections of the developer part. */
export const guideSections = [
  { id: "share", label: "Share a link or QR code" },
  { id: "links", label: "Links, booking pages and imports" },
  { id: "nfc", label: "Share with an NFC tag" },
  { id: "print", label: "Print your card" },
  { id: "signature", label: "Email and video calls" },
  { id: "save-contact", label: "Save a contact" },
  { id: "wallet", label: "Add a card to a wallet" },
  { id: "leads", label: "Collect contacts" },
  { id: "fair", label: "At a fair" },
  { id: "statistics", label: "Statistics" },
];

function ShareGuide() {
  return (
    <>
      <h2 id="share">Share a link or QR code</h2>
      <ol>
        <li>
          Open your profile or one of your cards, and choose <b>Share</b>.
        </li>
        <li>Copy the link, or send it with your phone’s share sheet.</li>
        <li>
          Or show the QR code on your screen. Anyone who points a phone camera at it can open your page in their
          browser, with no app and no account.
        </li>
      </ol>
      <p>
        You can download the code as SVG (for print) or PNG (for documents and chats), in your own color and with a
        logo. The code never expires. It opens your page’s link, so you can edit the page after the code is printed. If
        you change your handle, your old links redirect to the new ones.
      </p>
      <p>
        No signal? On a device where you’re signed in, <b>/my-qr</b> shows your QR codes without a connection. A code
        that contains your contact details works even when neither phone is online.
      </p>
    </>
  );
}

function LinksGuide() {
  return (
    <>
      <h2 id="links">Links, booking pages and imports</h2>
      <p>
        <b>Links:</b> in the editor of your profile or a card, paste the address of a page. Pages of known services get
        their icon, all others a globe. A booking page, such as one of Cal.com, Calendly or Doodle, is a link like any
        other.
      </p>
      <p>
        <b>Imports:</b> the editor of your profile takes your Linktree page as saved from your browser, that of a card
        takes a contact file (.vcf), and both take LinkedIn’s data export. You check what was found before you save it.
      </p>
    </>
  );
}

function TagGuide() {
  return (
    <>
      <h2 id="nfc">Share with an NFC tag</h2>
      <ol>
        <li>Get a blank NTAG213, NTAG215 or NTAG216 tag: a sticker, a card or a key fob.</li>
        <li>
          In Chrome on Android, open the share page, find <b>NFC tag</b> and hold the tag to the back of your phone. On
          an iPhone, copy the link shown there into any app that writes NFC tags.
        </li>
        <li>Test it: hold an unlocked phone to the tag, and your page opens.</li>
      </ol>
      <p>
        iPhones (XS or later) and most Android phones read tags without an app. On an iPhone, hold the top edge to the
        tag.
      </p>
    </>
  );
}

function PrintGuide() {
  return (
    <>
      <h2 id="print">Print your card</h2>
      <ol>
        <li>
          On the share page, choose <b>Print</b> and download the PDF, with your card, its QR code and crop marks.
        </li>
        <li>Print it on card stock at 100% (turn off “Fit to page”), and cut along the marks.</li>
      </ol>
      <p>
        To use a print shop, send them the same PDF, or the QR code as SVG for your own design. Keep the code at least
        0.8 in (2 cm) wide with an empty margin around it, and scan a test print before you order.
      </p>
    </>
  );
}

function SignatureGuide() {
  return (
    <>
      <h2 id="signature">Email and video calls</h2>
      <p>
        <b>Email signature:</b> on the share page, choose a design, copy it, and paste it into your email app’s
        signature settings. In Gmail, go to Settings, choose <i>See all settings</i> and scroll to <i>Signature</i>. In
        Outlook and Apple Mail, go to Settings, then <i>Signatures</i>. The signature doesn’t update itself: copy it
        again after you change your details. Its QR code and link always open your current page.
      </p>
      <p>
        <b>Video calls:</b> on the share page, choose <b>Call background</b>, download an image and select it in Zoom,
        Teams or Meet. People can scan the code off their screen. The code may look mirrored in your own preview, but
        others always see it correctly.
      </p>
    </>
  );
}

function SaveContactGuide() {
  return (
    <>
      <h2 id="save-contact">Save a contact</h2>
      <p>
        <b>Save Contact</b> on a card downloads a contact file (.vcf) that any contacts app can open.
      </p>
      <dl>
        <div>
          <dt>iPhone and iPad</dt>
          <dd>
            Safari shows the contact. Scroll down and tap <i>Create New Contact</i>, then <i>Done</i>.
          </dd>
        </div>
        <div>
          <dt>Android</dt>
          <dd>
            Open the downloaded file, choose <i>Contacts</i> if asked, and tap <i>Save</i>.
          </dd>
        </div>
        <div>
          <dt>Inside another app</dt>
          <dd>
            The built-in browsers of some apps, such as Instagram, can’t download files. Open the menu, choose{" "}
            <i>Open in browser</i>, and try again.
          </dd>
        </div>
        <div>
          <dt>Computer</dt>
          <dd>Open the file with Contacts or Outlook, or import it at contacts.google.com.</dd>
        </div>
      </dl>
      <p>
        A saved contact is a copy. When the card changes, save it again: the file has an ID and a date, so a contacts
        app can update the contact instead of adding a second one.
      </p>
    </>
  );
}

function WalletGuide() {
  return (
    <>
      <h2 id="wallet">Add a card to a wallet</h2>
      <p>
        Where the operator of the site has set it up, a card page offers <b>Add to Apple Wallet</b> or{" "}
        <b>Google Wallet</b>. The pass shows the card’s details and its QR code, and opens without a connection. When
        you edit the card, passes that people have added change too. You design the pass on the card’s page “Digital
        Pass”.
      </p>
    </>
  );
}

function LeadsGuide() {
  return (
    <>
      <h2 id="leads">Collect contacts</h2>
      <ol>
        <li>Open the contact form of a card, and turn it on. You choose its fields, questions and consent.</li>
        <li>Visitors press “Share your details” on the card, or open the form by its own QR code or NFC tag.</li>
        <li>Each contact is a lead in your inbox, with its source and the text that the visitor agreed to.</li>
      </ol>
      <p>
        In the inbox you search, filter and tag leads, write notes, set a follow-up and merge duplicates. Export them as
        CSV or contact files. Leads are deleted after the time that the form names; visitors can withdraw their consent
        by a link in an email.
      </p>
      <dl>
        <div>
          <dt>Email and team chat</dt>
          <dd>
            Under Leads, <b>Notifications</b>: at once, once a day or not at all, also to Slack, Mattermost, Rocket.Chat
            or Discord. Forward each lead with a contact file to a colleague.
          </dd>
        </div>
        <div>
          <dt>Calendar</dt>
          <dd>Subscribe to your follow-ups in any calendar app, by the secret address on the same page.</dd>
        </div>
        <div>
          <dt>Address books, CRM and mailing lists</dt>
          <dd>
            Under Leads, More actions, <b>Copy to other services</b>: to an address book of Nextcloud or another CardDAV
            server, HubSpot, Mailchimp, Brevo or listmonk, and to Google Contacts and Microsoft 365 where the operator
            of this site has set them up. Each form says where to find the key that it asks for.
          </dd>
        </div>
        <div>
          <dt>Webhooks</dt>
          <dd>
            Each new lead as signed JSON, sent to a program of yours. See <a href="#webhooks">Webhooks</a>.
          </dd>
        </div>
      </dl>
    </>
  );
}

function FairGuide() {
  return (
    <>
      <h2 id="fair">At a fair</h2>
      <p>
        <b>Kiosk:</b> create a link for a tablet on the card’s page “Kiosk”, and open it there. Visitors fill in your
        form, without an account on the device. Without a network, the tablet stores contacts encrypted and sends them
        once it is back.
      </p>
      <p>
        <b>Paper cards:</b> under Leads, <b>Scan a card</b>, and take a photo. Your device reads the text, and nothing
        is saved until you have checked it. You can also add someone by hand.
      </p>
    </>
  );
}

function StatisticsGuide() {
  return (
    <>
      <h2 id="statistics">Statistics</h2>
      <p>
        Meishi counts visits, link clicks and saved contacts for each profile and card, per hour and by how people
        opened the page: QR code, link, NFC tag, email signature, print or video call background. Your own visits and
        bots aren’t counted, and nothing that identifies a visitor is stored.
      </p>
      <p>
        Counting starts with your first visitor. The numbers are on the page “Analytics”, in the menu once you’re signed
        in.
      </p>
    </>
  );
}

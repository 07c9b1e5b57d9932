import { Button, DateStyle, Logo } from '@recollect/ui';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { addressOf, basePath } from './api/base-path.js';
import { loadPage } from './api/client.js';
import { isSignedOut, onReconnect, watchStore } from './api/connection.js';
import { listenToChanges, onChanges } from './api/events.js';
import { onDemand } from './api/on-demand.js';
import { AddDialog } from './dialogs/add-dialog.js';
import { AskDialog } from './dialogs/ask.js';
import { offered } from './dialogs/import-offer.js';
import { Keys } from './dialogs/keys.js';
import { isAddOpen, NoteDialog, openNote } from './dialogs/note-dialog.js';
import { tagQuestion } from './dialogs/selected-memories.js';
import { Start } from './pages/start.js';
import { loadSerif } from './reader/load-serif.js';
import { SearchBox } from './search/search-box.js';
import { OfflineBanner, OutcomeLine, StoreBanner } from './shell/banners.js';
import { chooseFiles } from './shell/choose-files.js';
import { FileCards } from './shell/file-cards.js';
import { FileDrop } from './shell/file-drop.js';
import { followNavigation, Navigation } from './shell/navigation.js';
import { NotFound } from './shell/not-found.js';
import { isHelpOpen, isPaletteOpen } from './shell/overlays.js';
import { Palette } from './shell/palette.js';
import { invitation } from './shell/passkey.js';
import { useHidingBars } from './shell/use-hiding-bars.js';
import { useKeys } from './shell/use-keys.js';
import { loadList } from './state/load-list.js';
import { dateStyle } from './state/looks.js';
import { followAddress } from './state/query.js';
import { refreshList } from './state/refresh-list.js';
import { memoryToAdd, shareSubject } from './state/sharing.js';
import { lookedTag } from './state/tags.js';
import { NARROW, useMedia } from './state/use-media.js';

const AcceptInvitation = onDemand(() => import('./shell/accept-invitation.js').then((it) => it.AcceptInvitation));
const AddToSharedDialog = onDemand(() => import('./dialogs/add-to-shared.js').then((it) => it.AddToSharedDialog));
const HelpDialog = onDemand(() => import('./shell/help-dialog.js').then((it) => it.HelpDialog));
const ImportDialog = onDemand(() => import('./dialogs/import-dialog.js').then((it) => it.ImportDialog));
const ShareDialog = onDemand(() => import('./dialogs/share-dialog.js').then((it) => it.ShareDialog));
const SignIn = onDemand(() => import('./shell/sign-in.js').then((it) => it.SignIn));
const TabBar = onDemand(() => import('./shell/tab-bar.js').then((it) => it.TabBar));
const TagDialog = onDemand(() => import('./dialogs/tag-dialog.js').then((it) => it.TagDialog));
const TagLookDialog = onDemand(() => import('./dialogs/tag-look.js').then((it) => it.TagLookDialog));
const Reader = lazy(() =>
  loadPage(async () => {
    const [page] = await Promise.all([import('./reader/reader.js'), loadSerif()]);
    return page;
  }),
);
const Highlights = lazy(() => loadPage(() => import('./pages/highlights.js')));
const Review = lazy(() => loadPage(() => import('./pages/review.js')));
const Tags = lazy(() => loadPage(() => import('./pages/tags.js')));
const Trash = lazy(() => loadPage(() => import('./pages/trash.js')));
const Shared = lazy(() => loadPage(() => import('./pages/shared.js')).then((page) => page.SharedCollections));
const SharedMemories = lazy(() => loadPage(() => import('./pages/shared.js')).then((page) => page.SharedMemories));
const SharedMemory = lazy(() => loadPage(() => import('./pages/shared.js')).then((page) => page.SharedMemory));
const Settings = lazy(() => loadPage(() => import('./settings/settings.js')));

/** The addresses of the app. The documentation and downloads are the server's. */
const PAGES = new RegExp(
  `^${basePath.replaceAll('.', '\\.')}/(?:$|\\?|everything|memory/|highlights|shared|tags|trash|settings)`,
);

/** The whole app. */
export function App() {
  return (
    <LocationProvider scope={PAGES}>
      <Shell />
    </LocationProvider>
  );
}

function Shell() {
  const { url } = useLocation();
  useLayoutEffect(followAddress, [url]);
  // The open page stays behind the sign-in, with everything that was typed.
  return (
    <DateStyle.Provider value={dateStyle.value}>
      <div class="signed-in" inert={isSignedOut.value || invitation.value !== null}>
        <SignedIn />
      </div>
      {invitation.value !== null && <AcceptInvitation token={invitation.value} />}
      {isSignedOut.value && invitation.value === null && <SignIn />}
    </DateStyle.Provider>
  );
}

function SignedIn() {
  const { route } = useLocation();
  const isNarrow = useMedia(NARROW);
  useKeys();
  useHidingBars();
  useEffect(followNavigation, []);
  useEffect(() => {
    listenToChanges();
    // The list follows changes while another page is shown too, so that it is right when the user comes back.
    const stops = [onChanges(refreshList), onReconnect(() => void loadList()), watchStore()];
    if (new URLSearchParams(location.search).get('new') === 'note') {
      openNote();
      // Otherwise a reload would open it again.
      route(location.pathname, true);
    }
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to the content
      </a>
      <header class="head">
        <a class="brand" href={addressOf('/')} aria-label="Recollect">
          <Logo />
          <span>Recollect</span>
        </a>
        <SearchBox>
          <button
            type="button"
            class="search-key"
            onClick={() => {
              isPaletteOpen.value = true;
            }}
          >
            <span class="hidden">Command palette </span>
            <Keys keys="$mod K" />
          </button>
        </SearchBox>
        <div class="head-tools">
          <Button
            icon="plus"
            variant="primary"
            onClick={() => {
              isAddOpen.value = true;
            }}
          >
            Add
          </Button>
        </div>
      </header>
      <OfflineBanner />
      <StoreBanner />
      <div class="body">
        {!isNarrow && <Navigation />}
        <Router>
          <Route path={addressOf('/')} component={Start} />
          <Route path={addressOf('/everything')} component={Start} />
          <Route path={addressOf('/memory/:id')} component={Reader} />
          <Route path={addressOf('/highlights')} component={Highlights} />
          <Route path={addressOf('/highlights/review')} component={Review} />
          <Route path={addressOf('/shared')} component={Shared} />
          <Route path={addressOf('/shared/:id')} component={SharedMemories} />
          <Route path={addressOf('/shared/:id/:person/:memory')} component={SharedMemory} />
          <Route path={addressOf('/tags')} component={Tags} />
          <Route path={addressOf('/trash')} component={Trash} />
          <Route path={addressOf('/settings/:section?')} component={Settings} />
          <Route default component={NotFound} />
        </Router>
      </div>
      {isNarrow && <TabBar />}
      <OutcomeLine />
      <AskDialog />
      {offered.value !== null && <ImportDialog {...offered.value} />}
      <NoteDialog />
      {isAddOpen.value && <AddDialog onFiles={chooseFiles} />}
      {shareSubject.value !== null && <ShareDialog />}
      {memoryToAdd.value !== null && <AddToSharedDialog />}
      {tagQuestion.value !== null && <TagDialog />}
      {lookedTag.value !== null && <TagLookDialog />}
      {isPaletteOpen.value && <Palette />}
      {isHelpOpen.value && <HelpDialog />}
      <FileDrop />
      <FileCards />
    </>
  );
}

import type { Migration } from 'kysely/migration';
import * as memories from './0001-memories.js';
import * as apiKeys from './0002-api-keys.js';
import * as plugins from './0003-plugins.js';
import * as conversations from './0004-conversations.js';
import * as storeTime from './0005-store-time.js';
import * as inlineJobs from './0006-inline-jobs.js';
import * as indexChanges from './0007-index-changes.js';
import * as historyAndSessions from './0008-history-and-sessions.js';
import * as fasterCounts from './0009-faster-counts.js';
import * as errorLog from './0010-error-log.js';
import * as integrity from './0011-integrity.js';
import * as formerTexts from './0012-former-texts.js';
import * as tagKeys from './0013-tag-keys.js';
import * as removedVectors from './0014-removed-vectors.js';
import * as plannerStatistics from './0015-planner-statistics.js';
import * as mergedText from './0016-merged-text.js';
import * as passageVectors from './0017-passage-vectors.js';
import * as spellings from './0018-spellings.js';
import * as words from './0019-words.js';
import * as reading from './0020-reading.js';
import * as savedSearches from './0021-saved-searches.js';
import * as pictures from './0022-pictures.js';
import * as plainLetters from './0023-plain-letters.js';
import * as titles from './0024-titles.js';
import * as formerHashes from './0025-former-hashes.js';
import * as sources from './0026-sources.js';
import * as routesLinksFiles from './0027-routes-links-files.js';
import * as allStatistics from './0028-all-statistics.js';
import * as keptCounts from './0029-kept-counts.js';
import * as noteLinks from './0030-note-links.js';
import * as proclitics from './0031-proclitics.js';
import * as comments from './0032-comments.js';
import * as pairingCodes from './0033-pairing-codes.js';
import * as users from './0034-users.js';
import * as signIn from './0035-sign-in.js';
import * as textBytes from './0036-text-bytes.js';
import * as identities from './0037-identities.js';
import * as shares from './0038-shares.js';
import * as challenges from './0039-challenges.js';
import * as providerSessions from './0040-provider-sessions.js';
import * as pluginUses from './0041-plugin-uses.js';
import * as formerTextUsers from './0043-former-text-users.js';
import * as places from './0046-places.js';
import * as tagLooks from './0047-tag-looks.js';
import * as highlightColours from './0048-highlight-colours.js';
import * as highlightReviews from './0049-highlight-reviews.js';
import * as imports from './0051-imports.js';
import * as linksByAddress from './0052-links-by-address.js';

/** Ordered by name. A migration is never changed once it is merged. */
export const migrations: Record<string, Migration> = {
  '0001-memories': memories,
  '0002-api-keys': apiKeys,
  '0003-plugins': plugins,
  '0004-conversations': conversations,
  '0005-store-time': storeTime,
  '0006-inline-jobs': inlineJobs,
  '0007-index-changes': indexChanges,
  '0008-history-and-sessions': historyAndSessions,
  '0009-faster-counts': fasterCounts,
  '0010-error-log': errorLog,
  '0011-integrity': integrity,
  '0012-former-texts': formerTexts,
  '0013-tag-keys': tagKeys,
  '0014-removed-vectors': removedVectors,
  '0015-planner-statistics': plannerStatistics,
  '0016-merged-text': mergedText,
  '0017-passage-vectors': passageVectors,
  '0018-spellings': spellings,
  '0019-words': words,
  '0020-reading': reading,
  '0021-saved-searches': savedSearches,
  '0022-pictures': pictures,
  '0023-plain-letters': plainLetters,
  '0024-titles': titles,
  '0025-former-hashes': formerHashes,
  '0026-sources': sources,
  '0027-routes-links-files': routesLinksFiles,
  '0028-all-statistics': allStatistics,
  '0029-kept-counts': keptCounts,
  '0030-note-links': noteLinks,
  '0031-proclitics': proclitics,
  '0032-comments': comments,
  '0033-pairing-codes': pairingCodes,
  '0034-users': users,
  '0035-sign-in': signIn,
  '0036-text-bytes': textBytes,
  '0037-identities': identities,
  '0038-shares': shares,
  '0039-challenges': challenges,
  '0040-provider-sessions': providerSessions,
  '0041-plugin-uses': pluginUses,
  '0043-former-text-users': formerTextUsers,
  '0046-places': places,
  '0047-tag-looks': tagLooks,
  '0048-highlight-colours': highlightColours,
  '0049-highlight-reviews': highlightReviews,
  '0051-imports': imports,
  '0052-links-by-address': linksByAddress,
};

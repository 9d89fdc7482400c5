"""Words that end in a period which need not end a sentence, and words that often begin one.

Lists of English, collected from style guides and general knowledge: titles, months, states, companies, journals, measures.
"""

from __future__ import annotations

import re

__all__ = ["BEFORE_NUMBER", "INITIAL", "MAY_END", "NEVER_ENDS", "STARTERS", "abbreviation"]

MAY_END = 1
"""An abbreviation after which a sentence may end: `Inc.`, `U.S.`, `etc.`"""
NEVER_ENDS = 2
"""One that something must follow: `Mr.`, `e.g.`, `Fig.`"""
INITIAL = 3
"""A single letter: `J.`"""
BEFORE_NUMBER = 4
"""A word like any other, unless a number follows: `No.`"""

_ANY_CASE = {
    NEVER_ENDS: """al approx ca cf eds esp eq eqs fig figs illus incl mme mlle msgr mr mrs ms messrs mt repr resp sect tel
        transl viz vol vols vs dr prof capt cmdr comdr lt maj pvt sens sgt supt st ste ft cpl atty brig cdr insp assn""",
    MAY_END: """etc inc corp ltd co bros jr sr esq ave blvd rd univ mfg intl int'l nat'l gov't dept govt assoc avg obs
        cont misc orig lb lbs oz hr hrs yr yrs mos sq kg km cm mm ml llc plc gmbh ibid seq bldg apt hwy mss spp subsp""",
    BEFORE_NUMBER: "no nos pp sec ch art est",
}
_CAPITAL = {
    NEVER_ENDS: """Mses Drs Profs Rt Chap Ref Refs Suppl Dem Ph Gov Gen Col Rep Reps Sen Rev Hon Pres Adm Dist Ens Fr
        Treas Sec Det Supt Bp Abp Cpt""",
    MAY_END: """Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun
        Ala Ariz Ark Calif Colo Conn Del Fla Ga Ia Ida Ill Ind Kan Kans Ky La Md Mass Mich Minn Miss Mo Mont Neb Nebr Nev
        Okla Ore Pa Penn Tenn Tex Va Vt Wash Wis Wisc Wyo Dak Que Ont Alta Mex
        Cie Acad Biol Biochem Biophys Chem Clin Genet Immunol Med Mol Neurosci Nucl Phys Physiol Res Sci
        Natl Soc Lab Labs Inst Intl Hosp Commun Am Eng Eur Br Lond Fed Cos Pty Pte Mgmt Pl Ct Ln Pkwy
        Lev Num Deut Josh Judg Kgs Chron Ps Prov Isa Jer Ezek Hos Matt Rom Cor Gal Eph Phil Thess
        Tim Heb Jas Pet Gk Lat Bull Publ""",
}
_KINDS = {word: kind for kind, words in _ANY_CASE.items() for word in words.split()}
_CAPITAL_KINDS = {word: kind for kind, words in _CAPITAL.items() for word in words.split()}
_NEVER_ACRONYMS = frozenset({"e.g", "i.e", "c.f", "a.k.a", "w.r.t", "u.s.s", "h.m.s", "lt.col", "v.s"})
_ACRONYM = re.compile(r"[^\W\d_]{1,2}(?:\.-?[^\W\d_]{1,2})+|[^\W\d_]{1,3}(?:\.[^\W\d_])+")

STARTERS = frozenset(
    """A About According After All Also Although An And Another Any Are As At Because Before Both But By Can Did Do Does
    During Each Even Every Finally First For From Further Furthermore Had Has Have He Her Here His How However I If In Instead Is
    It Its Just Later Many Meanwhile More Moreover Most My Neither No Nobody None Nor Not Nothing Now Of On Once One Only Or
    Other Others Our Over People Perhaps Please Second She Since So Some Still Such That The Their Then There Therefore These They
    This Those Though Through Thus To Today Together Two Under Unlike Until Was We Well Were What When Where Whether Which While Who
    Why Will With Within Without Would Yes Yesterday Yet You Your""".split()
)
"""Words that seldom have a capital unless they begin a sentence."""


def abbreviation(word: str) -> int:
    """What kind of abbreviation a word without its final period is; 0 where it is none."""
    if len(word) == 1:
        return INITIAL if word.isalpha() else 0
    lower = word.lower()
    if "." in word:
        if lower in _NEVER_ACRONYMS:
            return NEVER_ENDS
        return MAY_END if _ACRONYM.fullmatch(word) else 0
    if word[0].isupper():
        kind = _CAPITAL_KINDS.get(word.capitalize())
        if kind:
            return kind
    return _KINDS.get(lower, 0)

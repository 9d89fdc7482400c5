"""Words whose final period need not end a sentence, and words that often begin one.

The lists are English: titles, companies, months, states, journals and measures, after style guides
and dictionaries.
"""

from __future__ import annotations

import re

__all__ = [
    "BEFORE_NUMBER",
    "MAY_END",
    "NEVER_ENDS",
    "SAYING",
    "SHORT",
    "SHORT_WORDS",
    "STARTERS",
    "abbreviation",
    "listed",
    "takes_letter",
]


def listed(text: str) -> frozenset[str]:
    """Return the words of a list written as running text."""
    return frozenset(text.split())


MAY_END = 1
"""An abbreviation after which a sentence may end: `Inc.`, `U.S.`, `etc.`"""
NEVER_ENDS = 2
"""An abbreviation that something must follow: `Mr.`, `e.g.`, `Fig.`"""
SHORT = 3
"""A single letter or a unit of measure: `J.`, `hr.`"""
BEFORE_NUMBER = 4
"""An ordinary word unless a number follows: `No.`"""

# Lower case or capitalised.
_LOWER = {
    NEVER_ENDS: """al approx ca cf eds esp eq eqs eqn eqns fig figs illus incl mme mlle msgr mr
        mrs ms messrs mt proc repr resp sect tel transl viz vol vols vs dr prof capt cmdr comdr lt
        maj pvt sgt supt st ste cpl atty brig cdr insp assn""",
    MAY_END: """etc inc corp ltd co bros jr sr esq ave blvd rd univ mfg intl int'l nat'l gov't
        dept govt assoc avg obs cont misc orig llc plc gmbh ibid seq bldg apt hwy mss spp subsp""",
    BEFORE_NUMBER: "no nos pp sec ch chr art est ext ref refs",
}
# Capitalised only.
_CAPITALISED = {
    NEVER_ENDS: """Mses Drs Profs Rt Chap Ref Refs Suppl Dem Ph Gov Gen Col Rep Reps Sen Sens Rev
        Hon Pres Adm Dist Ens Fr Treas Sec Det Bp Abp Cpt""",
    MAY_END: """Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs
        Fri Sat Sun Ala Ariz Ark Calif Colo Conn Del Fla Ga Ia Ida Ill Ind Kan Kans Ky La Md Mass
        Mich Minn Miss Mo Mont Neb Nebr Nev Okla Ore Pa Penn Tenn Tex Va Vt Wash Wis Wisc Wyo Dak
        Que Ont Alta Mex Cie Acad Biol Biochem Biophys Chem Clin Exp Genet Immunol Med Mol
        Neurosci Nucl Phys Physiol Res Sci Natl Soc Lab Labs Inst Intl Hosp Commun Am Eng Eur Br
        Lond Fed Cos Pty Pte Mgmt Pl Ct Ln Pkwy Lev Num Deut Josh Judg Kgs Chron Ps Prov Isa Jer
        Ezek Hos Matt Rom Cor Gal Eph Phil Thess Tim Heb Jas Pet Gk Lat Bull Publ""",
}
# Metric ones are symbols, and have no period of their own.
_UNITS = "hr hrs yr yrs mos wk wks lb lbs oz ft sq"
_UPPER = """MR MRS MS DR ST JR SR NO INC CORP LTD CO BROS ESQ PROF GEN COL SEN REP REV HON CAPT LT
    SGT MASS CALIF VOL FIG DEPT AVE BLVD MESSRS VS ETC GOV PRES"""
_KINDS = dict.fromkeys(_UNITS.split(), SHORT)
_KINDS |= {
    form: kind
    for kind, words in _LOWER.items()
    for word in words.split()
    for form in (word, word.capitalize())
}
_KINDS |= {word: kind for kind, words in _CAPITALISED.items() for word in words.split()}
_KINDS |= {word: _KINDS[word.capitalize()] for word in _UPPER.split()}
_NEVER_ACRONYMS = frozenset({"e.g", "i.e", "c.f", "a.k.a", "w.r.t", "u.s.s", "h.m.s", "p.s"})
# A period after a plural such as `M.D.s` does not belong to it.
_PLURAL = re.compile(r"(?:[^\W\d_]{1,2}\.){2,}s")
_ACRONYM = re.compile(r"(?:[^\W\d_]{1,2}\.-?)+[^\W\d_]{1,2}|[^\W\d_]{1,3}(?:\.[^\W\d_])+")

STARTERS = listed(
    """A About According After All Also Although An And Another Any Are As At Because Before Both
    But By Can Did Do Does During Each Even Every Finally First For From Further Furthermore Had
    Has Have He Her Here His How However I If In Instead Is It Its Just Later Many Meanwhile More
    Moreover Most Mr Mrs Ms My Neither No Nobody None Nor Not Nothing Now Of On Once One Only Or
    Other Others Our Over People Perhaps Please Second She Since So Some Still Such That The Their
    Then There Therefore These They This Those Though Through Thus To Today Together Two Under
    Unlike Until Was We Well Were What When Where Whether Which While Who Why Will With Within
    Without Would Yes Yesterday Yet You Your"""
)
"""Words that are seldom capitalised except at the beginning of a sentence."""

_LETTERED = listed(
    """alpha beta gamma delta kappa lambda vitamin type group class grade phase strain plan option
    appendix section exhibit figure panel table kinase hepatitis factor influenza immunoglobulin
    part point step schedule annex category gene domain locus subunit protein cytochrome chromosome
    region site lane cohort experiment model team item zone level series column row box mutant
    variant allele concanavalin brefeldin"""
)
_SUBSTANCE = re.compile(
    r"(?:\w(?:n|t|p|d|l)ase|\w\werase|(?:ana|inter|meta|pro|telo)phase"
    r"|mycin|myxin|toxin|tericin|globulin|sporin|statin|chalasin)s?$"
)


def takes_letter(word: str) -> bool:
    """Return whether a letter after a word is a name, not an initial: `vitamin C`."""
    last = word.rpartition("-")[2].lower()
    return last in _LETTERED or last[-1:].isdigit() or _SUBSTANCE.search(last) is not None


SAYING = listed(
    """added adds agreed announced answered asked asks barked bellowed began called cried cries
    declared demanded exclaimed gasped groaned growled hissed howled inquired insisted interrupted
    joked moaned mumbled murmured muttered objected pleaded protested remarked repeated replied
    replies responded retorted roared said says screamed shouted shrieked sighed snapped sobbed
    wailed whimpered whined whispered wondered yelled"""
)
"""Verbs after which the name of a speaker follows a quotation: `“Why?” Ann asked.`"""

SHORT_WORDS = listed(
    """all any are be bed big boy but by car day did do dog eat fun get go got had has he her him
    his home how it job kid lol man me mom my new now off ok old on one out own run say see she so
    ten the to too top try two up us use was way we who why yes yet you"""
)
"""Short words that are not abbreviations."""


def abbreviation(word: str) -> int:
    """Return the kind of abbreviation that a word without its final period is, 0 if none."""
    if len(word) == 1:
        if word == "v":  # `Brown v. Board of Education`
            return NEVER_ENDS
        return SHORT if word.isalpha() else 0
    if kind := _KINDS.get(word, 0):
        return kind
    if word.lower() in _NEVER_ACRONYMS:
        return NEVER_ENDS
    last = word.rpartition("-")[2]
    if last[:1].isupper() and _PLURAL.fullmatch(last):
        return 0
    # `U.S.`, and words that end in one: `non-U.S.`
    return MAY_END if _ACRONYM.fullmatch(word) or _ACRONYM.fullmatch(last) else 0

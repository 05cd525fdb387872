/** Tests of Spring beans that use locks, without a store. */
@NullMarked
package io.lockkeeper.spring.test;

import org.jspecify.annotations.NullMarked;
